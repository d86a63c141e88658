/** A stream that yields nothing until it ends: graphql-ws iterates it while events bypass the iterator. */
export interface EmptyStream extends AsyncGenerator<never, void, void> {
  /** Ends the stream with an error, which its consumer receives. */
  fail(error: Error): void;
}

/** @param onEnd called once, when the consumer returns or the stream fails */
export function createEmptyStream(onEnd: () => void): EmptyStream {
  return new SilentStream(onEnd);
}

const DONE: IteratorReturnResult<void> = { done: true, value: undefined };

/** A class, because it exists once for each idle subscription. */
class SilentStream implements EmptyStream {
  readonly #onEnd: () => void;
  #settle: { resolve(result: IteratorReturnResult<void>): void; reject(error: Error): void } | null = null;
  #failure: Error | null = null;
  #hasEnded = false;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  next(): Promise<IteratorReturnResult<void>> {
    return new Promise((resolve, reject) => {
      if (!this.#hasEnded) this.#settle = { resolve, reject };
      else if (this.#failure) reject(this.#failure);
      else resolve(DONE);
    });
  }

  async return(): Promise<IteratorReturnResult<void>> {
    this.#end();
    return DONE;
  }

  async throw(error: unknown): Promise<never> {
    this.#end();
    throw error;
  }

  fail(error: Error): void {
    this.#failure = error;
    this.#end();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#onEnd();
    if (this.#failure) this.#settle?.reject(this.#failure);
    else this.#settle?.resolve(DONE);
  }
}
