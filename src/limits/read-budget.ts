import { OperationError } from '../errors.ts';
import { limitExceeded, OPERATION_LIMITS } from './limits.ts';

/** Keys that are loaded before their records' size is known. */
const FIRST_KEYS = 200;

/** What one request may still read from the database. */
export interface ReadBudget {
  /** @throws {OperationError} TOO_LARGE when the request has read more than `readBytes` */
  charge(bytes: number): void;
  /**
   * Loads many keys, in several commands where all of them together could exceed the budget by far.
   *
   * @param bytesOf size of what was loaded for one key
   * @throws {OperationError} TOO_LARGE
   */
  load<Key, Value>(
    keys: readonly Key[],
    load: (keys: readonly Key[]) => Promise<Value[]>,
    bytesOf: (value: Value) => number,
  ): Promise<Value[]>;
}

/** Bounds the bytes of records that one request reads: pages and aliases multiply what a few long records cost. */
export function createReadBudget(): ReadBudget {
  let used = 0;

  function charge(bytes: number): void {
    used += bytes;
    if (used > OPERATION_LIMITS.readBytes)
      throw new OperationError('TOO_LARGE', { message: limitExceeded('readBytes') });
  }

  return {
    charge,
    async load(keys, load, bytesOf) {
      const loaded: Awaited<ReturnType<typeof load>> = [];
      let bytes = 0;
      while (loaded.length < keys.length) {
        const left = OPERATION_LIMITS.readBytes - used;
        const fitting = loaded.length === 0 ? FIRST_KEYS : Math.max(FIRST_KEYS, left / (1 + bytes / loaded.length));
        const values = await load(keys.slice(loaded.length, loaded.length + fitting));
        for (const value of values) {
          const size = bytesOf(value);
          bytes += size;
          charge(size);
          loaded.push(value);
        }
      }
      return loaded;
    },
  };
}
