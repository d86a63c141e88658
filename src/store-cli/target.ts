import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Db, MongoClient } from 'mongodb';
import type { Config } from '../config.ts';
import { startEmbeddedStore } from '../embedded/index.ts';
import { openSnapshot, ownerOf, syncPath } from '../embedded/maintenance/index.ts';
import { IMPORT_STATE } from '../store/unfinished-import.ts';
import { Failure, IMPORTING, storeFolder } from './command.ts';
import { filledCollections } from './compare.ts';
import { connect, DEFAULT_DATABASE } from './connect.ts';
import { syncTree } from './folders.ts';
import type { Source } from './source.ts';
import { capital } from './words.ts';

/** Where an import goes to. Before {@link Target.finish} nobody takes it for whole. */
export interface Target {
  name: string;
  db: Db;
  /** How far an earlier attempt has come. */
  stage: 'empty' | 'copying' | 'compared';
  /** Notes that all is there and equal. */
  noteCompared(): Promise<void>;
  /** The data is whole: it can be used from now on. */
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
 * While a store is filled, no document expires before it has been compared, and one that an earlier version stored may
 * have more elements than a new one.
 */
const FILLING = { ttlSweepMs: 2_000_000_000, maxElements: Number.POSITIVE_INFINITY };

/** @throws Failure when the target is in use, holds data, or holds an import of something else */
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

/** Fills a store beside the one of the data folder, which must be empty, and puts it in its place in the end. */
async function openEmbeddedTarget({ config, source, isResumed, database }: TargetOptions): Promise<Target> {
  const name = config.DATA_DIR;
  const place = storeFolder(name);
  const folder = join(name, IMPORTING);
  await assertUnused(place, name);
  if (existsSync(folder) && !isResumed) {
    throw new Failure(`${folder} holds an unfinished import: go on with --resume, or remove it.`);
  }
  await mkdir(name, { recursive: true, mode: 0o700 });
  const embedded = await startEmbeddedStore({ folder, ...FILLING }).catch((error: Error) => {
    throw new Failure(`${error.message}.`);
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
        await assertUnused(place, name);
        await syncTree(folder);
        // Empty, or not there.
        await rm(place, { recursive: true, force: true });
        await rename(folder, place);
        await syncPath(name);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @throws Failure when the folder holds a store that is served or holds documents */
async function assertUnused(place: string, name: string): Promise<void> {
  if (!existsSync(join(place, 'store.mdb'))) return;
  const owner = await ownerOf(place);
  if (owner !== undefined) throw new Failure(`${capital(owner)} serves ${name}: stop it first.`);
  const snapshot = await openSnapshot(place);
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
  /** What is there without a note is from an attempt that ended when all but the last step was done. */
  isOurs: boolean;
}

/** Looks at what is there, and notes what is going to be. */
async function beginImport({
  db,
  source,
  isResumed,
  name,
  isOurs,
}: Beginning): Promise<Omit<Target, 'finish' | 'close'>> {
  const states = db.collection<ImportState>(IMPORT_STATE);
  const found = await states.findOne({ _id: 'import' });
  if (found && !isResumed) throw new Failure(`${name} holds an unfinished import: go on with --resume.`);
  if (found && found.source !== source.identity) {
    throw new Failure(`${name} holds an unfinished import of something else than ${source.name} as it is now.`);
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
    noteCompared: async () => void (await states.updateOne({ _id: 'import' }, { $set: { stage: 'compared' } })),
  };
}

const notEmpty = (name: string): Failure =>
  new Failure(`${name} is not empty; an import goes into an empty database only.`);
