import { randomUUID } from 'node:crypto';
import { type ClientSession, type Collection, MongoServerError } from 'mongodb';

/** What the collection `migrations` holds: the version, the lock, and how far a running migration has come. */
export interface MigrationState {
  _id: 'schema' | 'lock' | 'progress';
  version?: number;
  next?: object;
  owner?: string;
  until?: Date;
  updatedAt?: Date;
}

export interface Lock {
  /** Inside the transaction that relies on the lock: whoever has lost it cannot commit. @throws LockLost */
  assertHeld(session: ClientSession): Promise<void>;
  release(): Promise<void>;
}

/** Another process took the lock because this one did not renew it in time. */
export class LockLost extends Error {
  constructor() {
    super('The lock on the migrations went to another process.');
  }
}

/**
 * Takes the lock, or returns undefined while another process holds it. It is a lease, renewed until released, and
 * measured by the database's clock alone: gateways' clocks may differ.
 */
export async function takeLock(states: Collection<MigrationState>, leaseMs: number): Promise<Lock | undefined> {
  const owner = randomUUID();
  const lease = [{ $set: { owner, until: { $add: ['$$NOW', leaseMs] } } }];
  await insertFreeLock(states);
  const taken = await states.updateOne({ _id: 'lock', $expr: { $lt: ['$until', '$$NOW'] } }, lease);
  if (taken.matchedCount === 0) return undefined;

  const renewal = setInterval(() => {
    // A failure shows when the next batch asserts the lock.
    states.updateOne({ _id: 'lock', owner }, lease).catch(() => undefined);
  }, leaseMs / 3);
  renewal.unref();
  return {
    async assertHeld(session) {
      const { matchedCount } = await states.updateOne({ _id: 'lock', owner }, lease, { session });
      if (matchedCount === 0) throw new LockLost();
    },
    async release() {
      clearInterval(renewal);
      await states.updateOne({ _id: 'lock', owner }, { $set: { until: new Date(0) }, $unset: { owner: '' } });
    },
  };
}

async function insertFreeLock(states: Collection<MigrationState>): Promise<void> {
  try {
    await states.updateOne({ _id: 'lock' }, { $setOnInsert: { until: new Date(0) } }, { upsert: true });
  } catch (error) {
    // Two processes began at the same moment; the other one's record serves as well.
    if (!(error instanceof MongoServerError) || error.code !== 11000) throw error;
  }
}
