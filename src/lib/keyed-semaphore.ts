import { createSemaphore, type Semaphore } from './semaphore.ts';

/** Runs a call as soon as one of the permits of its key is free. */
export type KeyedSemaphore = <Result>(key: string, call: () => Promise<Result>) => Promise<Result>;

/** A {@link createSemaphore semaphore} for each key; keys without calls use no memory. */
export function createKeyedSemaphore(permits: number): KeyedSemaphore {
  const entries = new Map<string, { run: Semaphore; calls: number }>();
  return async (key, call) => {
    const entry = entries.get(key) ?? { run: createSemaphore(permits), calls: 0 };
    entries.set(key, entry);
    entry.calls += 1;
    try {
      return await entry.run(call);
    } finally {
      entry.calls -= 1;
      if (entry.calls === 0) entries.delete(key);
    }
  };
}
