import type { Db, MongoClient } from 'mongodb';
import { ConfigError } from '../config.ts';
import { UnavailableError, unavailability } from '../database-errors.ts';
import { createIndexes } from './collections.ts';
import { assertKnownVersion, migrate, NewerDataError } from './migrations/run.ts';
import { assertNoImport } from './unfinished-import.ts';

/** The wire version of MongoDB 7.0. */
const OLDEST_WIRE_VERSION = 21;

/**
 * Migrates the data and creates the indexes. Safe to repeat after a failure and to run in several processes
 * concurrently. `client` must have no socket timeout, since an index may take long to build.
 *
 * @param onProgress called with a log message about each migration
 * @throws {ConfigError} for a server that cannot be used
 * @throws {UnavailableError} for a server that is not usable yet
 */
export async function prepareDatabase(
  client: MongoClient,
  db: Db,
  onProgress?: (message: string) => void,
): Promise<void> {
  await withConfigErrors(async () => {
    await requireUsable(client, db);
    await migrate({ client, db, ...(onProgress && { onProgress }) });
    await createIndexes(db);
  });
}

/**
 * Runs the checks of {@link prepareDatabase} without changing anything.
 *
 * @throws {ConfigError} for a server or data that cannot be used
 * @throws {UnavailableError} for a server that is not usable yet
 */
export function checkDatabase(client: MongoClient, db: Db): Promise<void> {
  return withConfigErrors(() => requireUsable(client, db));
}

async function requireUsable(client: MongoClient, db: Db): Promise<void> {
  await client.connect();
  await checkServer(db);
  await assertNoImport(db);
  await assertKnownVersion(db);
}

async function withConfigErrors(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const found = unavailability(error);
    // Checked first: hosted clusters have one error code for a full disk and for a rejected user.
    if (found?.reason === 'full') throw found;
    throw configErrorFor(error) ?? found ?? error;
  }
}

/** Whether the server is the embedded store, in this process or in another one. */
export async function isEmbedded(db: Db): Promise<boolean> {
  const { modules } = await db.command({ buildInfo: 1 });
  return Array.isArray(modules) && modules.includes(EMBEDDED_MODULE);
}

/** How the embedded store names itself in `buildInfo`. */
const EMBEDDED_MODULE = 'colloquy-embedded';

/** Transactions need a replica set or a sharded cluster; MongoDB 7.0 is the oldest tested version. */
async function checkServer(db: Db): Promise<void> {
  const hello = await db.command({ hello: 1 });
  if (Number(hello.maxWireVersion) < OLDEST_WIRE_VERSION) {
    const { version } = await db.command({ buildInfo: 1 });
    throw new ConfigError(`MONGODB_URI refers to MongoDB ${version}; 7.0 or newer is required.`);
  }
  if (hello.setName || hello.msg === 'isdbgrid') return;
  // Started with --replSet, but the replica set is not initiated yet.
  if (hello.isreplicaset) throw new UnavailableError('starting');
  throw new ConfigError(STANDALONE);
}

const STANDALONE =
  'MONGODB_URI leads to a standalone server, which has no transactions: start it with --replSet and run ' +
  'rs.initiate() once, or name a replica set or a sharded cluster.';

/** Unauthorized, AuthenticationFailed, and AtlasError, which hosted clusters return instead of the latter. */
const AUTHENTICATION_ERRORS = new Set<unknown>([13, 18, 8000]);

/** Converts an error that a retry cannot fix to one that explains what to configure; null for other errors. */
function configErrorFor(error: unknown): ConfigError | null {
  if (!(error instanceof Error)) return null;
  if ('code' in error && AUTHENTICATION_ERRORS.has(error.code)) {
    return new ConfigError(
      `The database refuses the gateway (${error.message}): check the user and password in MONGODB_URI, and that ` +
        'this user may read and write the database.',
    );
  }
  if (error instanceof NewerDataError) return new ConfigError(error.message);
  // A server older than the oldest version that the driver supports.
  const { cause } = error;
  if (cause instanceof Error && cause.name === 'MongoCompatibilityError') {
    return new ConfigError(`MONGODB_URI: ${cause.message}; MongoDB 7.0 or newer is required.`);
  }
  if (error.name !== 'MongoServerSelectionError') return null;
  const { reason } = error as { reason?: { type?: string; setName?: string; servers?: Map<string, unknown> } };
  // The driver removes servers that are not members of the set.
  return reason?.type === 'ReplicaSetNoPrimary' && reason.servers?.size === 0
    ? new ConfigError(`No server in MONGODB_URI is a member of the replica set ${reason.setName ?? 'it names'}.`)
    : null;
}
