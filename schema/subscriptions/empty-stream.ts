/** A stream that yields nothing and ends from outside: what it stands for is told past it. */
export interface EmptyStream {
  stream: AsyncGenerator<never, void, void>;
  /** Ends it with an error, which its reader is told. */
  fail(error: Error): void;
}

/** @param onEnd called once, when its reader leaves or it has failed */
export function createEmptyStream(onEnd: () => void): EmptyStream {
  let settle: { resolve(result: IteratorReturnResult<void>): void; reject(error: Error): void } | null = null;
  let failure: Error | null = null;
  let hasEnded = false;
  const done: IteratorReturnResult<void> = { done: true, value: undefined };

  function end(): void {
    if (hasEnded) return;
    hasEnded = true;
    onEnd();
    if (failure) settle?.reject(failure);
    else settle?.resolve(done);
  }

  const stream: AsyncGenerator<never, void, void> = {
    next: () =>
      new Promise((resolve, reject) => {
        if (!hasEnded) settle = { resolve, reject };
        else if (failure) reject(failure);
        else resolve(done);
      }),
    async return() {
      end();
      return done;
    },
    async throw(error) {
      end();
      throw error;
    },
    [Symbol.asyncIterator]: () => stream,
  };
  return {
    stream,
    fail(error) {
      failure = error;
      end();
    },
  };
}
