import { randomUUID } from 'node:crypto';
import { type ClientSession, type Collection, MongoServerError } from 'mongodb';

/** The documents of the collection `migrations`: the version, the lock, and the progress of a running migration. */
export interface MigrationState {
  _id: 'schema' | 'lock' | 'progress';
  version?: number;
  /** Of `schema`: the lowest data version whose releases can use the data. Absent before it was introduced: `version`. */
  compatibleFrom?: number;
  next?: object;
  owner?: string;
  until?: Date;
  updatedAt?: Date;
}

export interface Lock {
  /**
   * Call in each transaction that relies on the lock, which then cannot commit once the lock is lost. @throws LockLost
   */
  assertHeld(session: ClientSession): Promise<void>;
  release(): Promise<void>;
}

/** Another process took the lock because this one did not renew it in time. */
export class LockLost extends Error {
  constructor() {
    super('Another process has taken the lock on the migrations.');
  }
}

/**
 * Takes the lock, or returns undefined while another process holds it. The lock is a lease, renewed until released, and
 * measured only by the database's clock, since the clocks of gateways may differ.
 */
export async function takeLock(states: Collection<MigrationState>, leaseMs: number): Promise<Lock | undefined> {
  const owner = randomUUID();
  const lease = [{ $set: { owner, until: { $add: ['$$NOW', leaseMs] } } }];
  await insertFreeLock(states);
  const taken = await states.updateOne({ _id: 'lock', $expr: { $lt: ['$until', '$$NOW'] } }, lease);
  if (taken.matchedCount === 0) return undefined;

  const renewal = setInterval(() => {
    // The next batch notices a failure when it asserts the lock.
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
    // Duplicate key: another process has inserted the lock at the same time.
    if (!(error instanceof MongoServerError) || error.code !== 11000) throw error;
  }
}
