import { createHash } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import {
  FolderError,
  openSnapshot,
  type SnapshotCollection,
  type StoreSnapshot,
} from '../embedded/maintenance/index.ts';
import { Failure } from './command.ts';
import { byName, plainIndexes, type Source, type SourceCollection } from './source.ts';
import { capital } from './words.ts';

export interface EmbeddedSourceOptions {
  /** The store's own folder. */
  folder: string;
  name: string;
  database: string;
  /** Refuse a store that somebody serves: what is written from now on would be missing. @default false */
  mustBeStopped?: boolean;
}

/** Documents between two moments for whatever else the process has to do. */
const STRETCH = 500;

/** Reads an embedded store at one moment, whether or not a gateway serves it. @throws Failure when it cannot be read */
export async function openEmbeddedSource(options: EmbeddedSourceOptions): Promise<Source> {
  const snapshot = await openSnapshot(options.folder).catch((error: unknown) => {
    throw error instanceof FolderError ? new Failure(`${error.message}.`) : error;
  });
  try {
    return shape(snapshot, options);
  } catch (error) {
    await snapshot.close();
    throw error;
  }
}

function shape(snapshot: StoreSnapshot, { name, database, mustBeStopped }: EmbeddedSourceOptions): Source {
  if (mustBeStopped && snapshot.owner !== undefined) {
    throw new Failure(
      `${capital(snapshot.owner)} serves ${name}: what it writes from now on would be missing. Stop it, or make a backup and take that.`,
    );
  }
  const found = new Map<SourceCollection, SnapshotCollection>();
  for (const collection of snapshot.collections.filter(({ db }) => db === database)) {
    const { name, documents, indexes } = collection;
    found.set({ name, documents, indexes: plainIndexes(indexes), options: {} }, collection);
  }
  const others = [...new Set(snapshot.collections.map(({ db }) => db))].filter((db) => db !== database);
  if (found.size === 0) {
    const advice = others.length > 0 ? ` It holds ${others.join(', ')}: see --database.` : '';
    throw new Failure(`${name} holds no database '${database}'.${advice}`);
  }
  const collections = byName([...found.keys()]);
  const uuids = collections.map((collection) => found.get(collection)!.uuid);
  return {
    name,
    database,
    identity: `store ${createHash('sha256').update(uuids.join()).digest('hex')}`,
    collections,
    async *read(collection) {
      let count = 0;
      for (const bytes of snapshot.documents(found.get(collection)!)) {
        if (++count % STRETCH === 0) await breathe();
        yield { bytes };
      }
    },
    isOneMoment: () => true,
    close: () => snapshot.close(),
  };
}
