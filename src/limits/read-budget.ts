import { OperationError } from '../errors.ts';
import type { Slot } from './admission.ts';
import { limitExceeded, OPERATION_LIMITS } from './limits.ts';

/** Maximum keys that are loaded without waiting for other loads of the request. */
const FEW_KEYS = 50;
/** Minimum keys per load; also those of the first load, when the size of the records is not known yet. */
const MIN_KEYS = 200;

/** Bounds what one request reads from the database. */
export interface ReadBudget {
  /** The request's slot for expensive requests; null in contexts without a bound. */
  slot: Slot | null;
  /** @throws {OperationError} TOO_LARGE when the request has read more than `readBytes`, or an event more than `eventReadBytes` */
  charge(bytes: number): void;
  /** Whether reads wait for the request's slot, because it has read `expensiveBytes`. */
  mustWait(): boolean;
  /** @throws {OperationError} TOO_LARGE when the request has selected more than `freeFormMembers`, or an event more than `eventFreeFormMembers` */
  chargeMembers(members: number): void;
  /**
   * Runs a read of unknown size when the previous ones of the request have ended, so that none starts after the budget is
   * exceeded.
   *
   * @throws {OperationError} TOO_LARGE
   */
  readInOrder<Result>(read: () => Promise<Result>): Promise<Result>;
  /**
   * Loads many keys, in several commands when one command could far exceed the budget.
   *
   * @param bytesOf size of the value that was loaded for one key
   * @throws {OperationError} TOO_LARGE
   */
  load<Key, Value>(
    keys: readonly Key[],
    load: (keys: readonly Key[]) => Promise<Value[]>,
    bytesOf: (value: Value) => number,
  ): Promise<Value[]>;
}

/**
 * Bounds the bytes of records that one request reads, since pages and aliases multiply the cost of a few long records.
 * Bounds for an event are lower, because it is rendered once per distinct subscription.
 */
export function createReadBudget(purpose: 'request' | 'event' = 'request'): ReadBudget {
  const bytesLimit = purpose === 'event' ? 'eventReadBytes' : 'readBytes';
  const membersLimit = purpose === 'event' ? 'eventFreeFormMembers' : 'freeFormMembers';
  let used = 0;
  let selected = 0;
  let last: Promise<unknown> = Promise.resolve();

  function charge(bytes: number): void {
    used += bytes;
    if (used > OPERATION_LIMITS[bytesLimit])
      throw new OperationError('TOO_LARGE', { message: limitExceeded(bytesLimit) });
  }

  function readInOrder<Result>(read: () => Promise<Result>): Promise<Result> {
    const reading = last.then(() => {
      charge(0);
      return readInSlot(read);
    });
    last = reading.catch(() => undefined);
    return reading;
  }

  /** Holds the slot during the read, and until the end of the request once the request has read `expensiveBytes`. */
  async function readInSlot<Result>(read: () => Promise<Result>): Promise<Result> {
    const { slot } = budget;
    if (!slot || slot.isHeld) return read();
    await slot.acquire();
    try {
      return await read();
    } finally {
      if (used < OPERATION_LIMITS.expensiveBytes) slot.release();
    }
  }

  const budget: ReadBudget = {
    slot: null,
    charge,
    mustWait: () => used > OPERATION_LIMITS.expensiveBytes && budget.slot?.isHeld === false,
    chargeMembers(members) {
      selected += members;
      if (selected > OPERATION_LIMITS[membersLimit])
        throw new OperationError('TOO_LARGE', { message: limitExceeded(membersLimit) });
    },
    readInOrder,
    async load(keys, load, bytesOf) {
      const loaded: Awaited<ReturnType<typeof load>> = [];
      let bytes = 0;
      const loadSome = async (count: number) => {
        for (const value of await load(keys.slice(loaded.length, loaded.length + count))) {
          const size = bytesOf(value);
          bytes += size;
          charge(size);
          loaded.push(value);
        }
      };
      if (keys.length <= FEW_KEYS) {
        if (budget.mustWait()) await budget.slot?.acquire();
        await loadSome(keys.length);
      }
      while (loaded.length < keys.length) {
        const left = OPERATION_LIMITS[bytesLimit] - used;
        const fitting = loaded.length === 0 ? 0 : Math.floor(left / (1 + bytes / loaded.length));
        await readInOrder(() => loadSome(Math.max(MIN_KEYS, fitting)));
      }
      return loaded;
    },
  };

  return budget;
}
