import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Db, MongoClient } from 'mongodb';
import type { Config } from '../config.ts';
import { startEmbeddedStore } from '../embedded/index.ts';
import { openSnapshot, ownerOf } from '../embedded/maintenance/index.ts';
import { syncPath } from '../lib/sync-path.ts';
import { createDataFolder } from '../process/data-folder.ts';
import { IMPORT_STATE } from '../store/unfinished-import.ts';
import { CliError, IMPORTING, storeFolder } from './command.ts';
import { filledCollections } from './compare.ts';
import { connect, DEFAULT_DATABASE } from './connect.ts';
import { syncTree } from './create-folder.ts';
import { capitalize } from './format.ts';
import type { Source } from './source.ts';

/** The target of an import. A gateway refuses to start on it before {@link Target.finish}. */
export interface Target {
  name: string;
  db: Db;
  /** The progress of an earlier attempt. */
  stage: 'empty' | 'copying' | 'compared';
  /** Records that the comparison succeeded. */
  markCompared(): Promise<void>;
  /** Marks the import as complete: a gateway may use the data. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

export interface TargetOptions {
  config: Config;
  source: Source;
  isResumed: boolean;
  database: string | undefined;
}

/**
 * No document may expire before it has been compared, and documents stored by an earlier version may have more elements
 * than new ones.
 */
const IMPORT_OPTIONS = { ttlSweepMs: 2_000_000_000, maxElements: Number.POSITIVE_INFINITY };

/** @throws CliError when the target is in use, contains data, or contains an unfinished import of another source */
export function openTarget(options: TargetOptions): Promise<Target> {
  return options.config.MONGODB_URI === undefined ? openEmbeddedTarget(options) : openMongoTarget(options);
}

async function openMongoTarget({ config, source, isResumed, database }: TargetOptions): Promise<Target> {
  const { client, databaseName, name } = await connect(config.MONGODB_URI!, database);
  try {
    const db = client.db(databaseName);
    return {
      ...(await beginImport({ db, source, isResumed, name: `${name}/${databaseName}`, isOurs: false })),
      finish: async () => void (await db.collection(IMPORT_STATE).drop()),
      close: () => client.close(),
    };
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** Fills a new store next to the data folder's own, which must be empty, and replaces it at the end. */
async function openEmbeddedTarget({ config, source, isResumed, database }: TargetOptions): Promise<Target> {
  const name = config.DATA_DIR;
  const storePath = storeFolder(name);
  const folder = join(name, IMPORTING);
  await assertUnused(storePath, name);
  if (existsSync(folder) && !isResumed) {
    throw new CliError(`${folder} contains an unfinished import: continue it with --resume, or remove it.`);
  }
  await createDataFolder(name);
  const embedded = await startEmbeddedStore({ folder, ...IMPORT_OPTIONS }).catch((error: Error) => {
    throw new CliError(`${error.message}.`);
  });
  const client = new MongoClient(embedded.uri);
  const close = async (): Promise<void> => {
    await client.close();
    await embedded.close();
  };
  try {
    const db = client.db(database ?? DEFAULT_DATABASE);
    return {
      ...(await beginImport({ db, source, isResumed, name, isOurs: isResumed })),
      async finish() {
        await db.collection(IMPORT_STATE).drop();
        await close();
        await syncTree(folder);
        await replaceStore(storePath, folder, name);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Replaces an empty store. It is checked again after it was renamed: a gateway that was opening it then ends, because
 * the file has another name, and one that starts is refused until the new store has its name.
 */
async function replaceStore(storePath: string, by: string, name: string): Promise<void> {
  const replaced = `${storePath}.replaced`;
  for (const path of [storePath, replaced]) await assertUnused(path, name);
  if (existsSync(storePath)) {
    // Left by an attempt that was interrupted.
    await rm(replaced, { recursive: true, force: true });
    await rename(storePath, replaced);
    try {
      await assertUnused(replaced, name);
    } catch (error) {
      await rename(replaced, storePath);
      throw error;
    }
  }
  await rename(by, storePath);
  await syncPath(name);
  await rm(replaced, { recursive: true, force: true });
}

/** @throws CliError when the folder contains a store that is served or contains documents */
async function assertUnused(storePath: string, name: string): Promise<void> {
  if (!existsSync(join(storePath, 'store.mdb'))) return;
  const owner = await ownerOf(storePath);
  if (owner !== undefined) throw new CliError(`${capitalize(owner)} serves ${name}: stop it first.`);
  const snapshot = await openSnapshot(storePath);
  await snapshot.close();
  if (snapshot.collections.some(({ documents }) => documents > 0)) throw notEmpty(name);
}

interface ImportState {
  _id: 'import';
  source: string;
  stage: 'copying' | 'compared';
}

interface Beginning {
  db: Db;
  source: Source;
  isResumed: boolean;
  name: string;
  /** Documents without an import state are from an attempt that was interrupted in its last step. */
  isOurs: boolean;
}

/** Checks the target and records the source of the import in it. */
async function beginImport({
  db,
  source,
  isResumed,
  name,
  isOurs,
}: Beginning): Promise<Omit<Target, 'finish' | 'close'>> {
  const states = db.collection<ImportState>(IMPORT_STATE);
  const found = await states.findOne({ _id: 'import' });
  if (found && !isResumed) throw new CliError(`${name} contains an unfinished import: continue it with --resume.`);
  if (found && found.source !== source.identity) {
    throw new CliError(`${name} contains an unfinished import of another source, or ${source.name} has changed since.`);
  }
  const isFilled = !found && (await filledCollections(db)).length > 0;
  if (!found) {
    if (isFilled && !isOurs) throw notEmpty(name);
    await states.insertOne({ _id: 'import', source: source.identity, stage: 'copying' });
  }
  return {
    name,
    db,
    stage: found?.stage ?? (isFilled ? 'copying' : 'empty'),
    markCompared: async () => void (await states.updateOne({ _id: 'import' }, { $set: { stage: 'compared' } })),
  };
}

const notEmpty = (name: string): CliError =>
  new CliError(`${name} is not empty; data can be imported into an empty database only.`);
