import type { Viewer } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import { compositeKey } from '../../lib/composite-key.ts';

/** Limits how many of something each user may hold in this process, such as connections. */
export interface UserQuota {
  /** Units of all users that are held now. */
  readonly total: number;
  /** @returns a function that releases the acquired unit @throws {OperationError} RATE_LIMITED at the limit */
  acquire(viewer: Viewer): () => void;
}

/** @param what the name of the units in the plural, for the error message */
export function createUserQuota(perUser: number, what: string): UserQuota {
  const acquired = new Map<string, number>();
  let total = 0;
  return {
    get total() {
      return total;
    },
    acquire({ networkId, userId }) {
      const key = compositeKey(networkId, userId);
      const count = acquired.get(key) ?? 0;
      if (count >= perUser) {
        throw new OperationError('RATE_LIMITED', { message: `At most ${perUser} ${what} per user.` });
      }
      acquired.set(key, count + 1);
      total += 1;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        total -= 1;
        const left = acquired.get(key)! - 1;
        if (left === 0) acquired.delete(key);
        else acquired.set(key, left);
      };
    },
  };
}
