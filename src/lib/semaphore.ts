/** Runs a call as soon as one of the semaphore's permits is free. */
export type Semaphore = <Result>(call: () => Promise<Result>) => Promise<Result>;

/** Bounds how many calls run concurrently; further calls start in the order in which they were requested. */
export function createSemaphore(permits: number): Semaphore {
  const waiting: Array<() => void> = [];
  let free = permits;
  return async (call) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((start) => waiting.push(start));
    try {
      return await call();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
