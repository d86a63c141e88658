/** A stream that yields nothing until it ends: graphql-ws iterates it while events bypass the iterator. */
export interface EmptyStream {
  stream: AsyncGenerator<never, void, void>;
  /** Ends the stream with an error, which its consumer receives. */
  fail(error: Error): void;
}

/** @param onEnd called once, when the consumer returns or the stream fails */
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
