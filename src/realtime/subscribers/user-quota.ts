import type { Viewer } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import { compositeKey } from '../../lib/composite-key.ts';

/** How much of something each user holds in this process. */
export interface UserQuota {
  /** @returns gives the place back @throws {OperationError} RATE_LIMITED when the user holds as many as they may */
  acquire(viewer: Viewer): () => void;
}

/** @param what what is counted, for whoever wants more */
export function createUserQuota(perUser: number, what: string): UserQuota {
  const taken = new Map<string, number>();
  return {
    acquire({ networkId, userId }) {
      const key = compositeKey(networkId, userId);
      const count = taken.get(key) ?? 0;
      if (count >= perUser) {
        throw new OperationError('RATE_LIMITED', { message: `At most ${perUser} ${what} a user.` });
      }
      taken.set(key, count + 1);
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        const left = taken.get(key)! - 1;
        if (left === 0) taken.delete(key);
        else taken.set(key, left);
      };
    },
  };
}
