import { setTimeout as sleep } from 'node:timers/promises';
import type { Collection, Db, MongoClient } from 'mongodb';
import { createKeyLock } from '../key-lock.ts';
import { createTransactions, type RunTransaction } from '../transaction.ts';
import { FIRST_VERSION, MIGRATIONS } from './list.ts';
import { type Lock, LockLost, type MigrationState, takeLock } from './lock.ts';
import type { Migration } from './migration.ts';

export const MIGRATIONS_COLLECTION = 'migrations';

export interface MigrateOptions {
  client: MongoClient;
  db: Db;
  /** @default all migrations of this release */
  migrations?: readonly Migration[];
  /** Called with log messages. */
  onProgress?: (message: string) => void;
  /** Milliseconds after which the lock of a process that died is free. @default 30_000 */
  leaseMs?: number;
  /** Milliseconds between two attempts to take a lock that another process holds. @default 500 */
  pollMs?: number;
}

/** The data was written by a later release that this one is not compatible with; using it would damage it. */
export class NewerDataError extends Error {}

/**
 * Migrates the data to the version of this release. Any number of processes may call it concurrently: one does the work
 * under a lock, the others wait. If that process dies, the next call continues from the last committed batch.
 *
 * @throws NewerDataError when a later release has written the data and this one cannot use it
 */
export async function migrate({
  client,
  db,
  migrations = MIGRATIONS,
  onProgress = () => undefined,
  leaseMs = 30_000,
  pollMs = 500,
}: MigrateOptions): Promise<void> {
  const states = db.collection<MigrationState>(MIGRATIONS_COLLECTION);
  const latest = latestOf(migrations);
  for (let waits = 0; ; waits++) {
    const schema = await readSchema(states);
    assertUsable(schema, latest);
    if (schema && schema.version >= latest) return;
    const lock = await takeLock(states, leaseMs);
    if (lock) {
      try {
        return await work({
          transaction: createTransactions({ client, timeoutMs: 0, withKeyLock: createKeyLock() }),
          db,
          states,
          lock,
          migrations,
          latest,
          onProgress,
        });
      } catch (error) {
        if (!(error instanceof LockLost)) throw error;
      } finally {
        await lock.release();
      }
    }
    if (waits === 0) onProgress('Another process is bringing the data up to date; waiting for it.');
    await sleep(pollMs);
  }
}

/** @throws NewerDataError when a later release has written the data and this one cannot use it */
export async function assertKnownVersion(db: Db): Promise<void> {
  assertUsable(await readSchema(db.collection<MigrationState>(MIGRATIONS_COLLECTION)));
}

interface Schema {
  version: number;
  /** The lowest data version whose releases can use the data; above `version` while a migration that breaks them runs. */
  compatibleFrom: number;
}

const latestOf = (migrations: readonly Migration[]): number => migrations.at(-1)?.version ?? FIRST_VERSION;

function assertUsable(schema: Schema | undefined, latest = latestOf(MIGRATIONS)): void {
  if (!schema || schema.compatibleFrom <= latest) return;
  const version = Math.max(schema.version, schema.compatibleFrom);
  throw new NewerDataError(
    `The data has version ${version}; this release supports versions up to ${latest}. Use the later release that wrote the data.`,
  );
}

async function readSchema(states: Collection<MigrationState>): Promise<Schema | undefined> {
  const state = await states.findOne({ _id: 'schema' }, { readPreference: 'primary' });
  if (state?.version === undefined) return undefined;
  const { version, compatibleFrom = version } = state;
  return { version, compatibleFrom };
}

/** The data after these migrations, of data that all releases from `compatibleFrom` can use. */
const compatibilityAfter = (migrations: readonly Migration[], compatibleFrom: number): number =>
  Math.max(compatibleFrom, ...migrations.map((migration) => migration.compatibleFrom ?? migration.version));

interface Work {
  transaction: RunTransaction;
  db: Db;
  states: Collection<MigrationState>;
  lock: Lock;
  migrations: readonly Migration[];
  latest: number;
  onProgress(message: string): void;
}

/** Runs all migrations between the data's version and the latest; the lock is held. */
async function work(all: Work): Promise<void> {
  const { db, states, migrations, latest, onProgress } = all;
  // Read again: the previous holder of the lock may have finished the migrations.
  const schema = (await readSchema(states)) ?? (await initialSchema(all, db));
  assertUsable(schema, latest);
  let { compatibleFrom } = schema;
  await setSchema(all, schema);
  for (const migration of migrations.filter((one) => one.version > schema.version)) {
    onProgress(`Migration ${migration.version}: ${migration.name}.`);
    compatibleFrom = compatibilityAfter([migration], compatibleFrom);
    // Before the first batch: no gateway of a release that cannot use migrated records starts from now on.
    await setSchema(all, { version: migration.version - 1, compatibleFrom });
    await runMigration(all, migration);
  }
}

/** Of an empty database, the latest version; otherwise that of the first release, which did not store one. */
async function initialSchema({ migrations, latest }: Work, db: Db): Promise<Schema> {
  if (!(await isEmpty(db))) return { version: FIRST_VERSION, compatibleFrom: FIRST_VERSION };
  return { version: latest, compatibleFrom: compatibilityAfter(migrations, FIRST_VERSION) };
}

/** Whether no release has written to this database. */
async function isEmpty(db: Db): Promise<boolean> {
  const found = await db.listCollections({ name: 'networks' }, { nameOnly: true }).toArray();
  return found.length === 0;
}

function setSchema({ transaction, states, lock }: Work, schema: Schema): Promise<void> {
  return transaction(async (session) => {
    await lock.assertHeld(session);
    await states.updateOne(
      { _id: 'schema' },
      { $set: schema, $currentDate: { updatedAt: true } },
      { upsert: true, session },
    );
  });
}

async function runMigration({ transaction, db, states, lock, onProgress }: Work, migration: Migration): Promise<void> {
  const { version } = migration;
  await migration.before?.(db);
  let batches = 0;
  for (let isDone = false; !isDone; batches++) {
    // Each batch commits together with its progress, and the last one with the new version.
    isDone = await transaction(async (session) => {
      await lock.assertHeld(session);
      const progress = await states.findOne({ _id: 'progress', version }, { session });
      const next = await migration.run({ db, session, from: progress?.next });
      if (next) {
        await states.updateOne({ _id: 'progress' }, { $set: { version, next } }, { upsert: true, session });
        return false;
      }
      await states.deleteOne({ _id: 'progress' }, { session });
      await states.updateOne({ _id: 'schema' }, { $set: { version }, $currentDate: { updatedAt: true } }, { session });
      return true;
    });
    if (batches % 100 === 99) onProgress(`Migration ${version}: ${batches + 1} batches done.`);
  }
}
