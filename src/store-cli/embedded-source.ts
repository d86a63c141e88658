import { createHash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import {
  FolderError,
  openSnapshot,
  type SnapshotCollection,
  type StoreSnapshot,
} from '../embedded/maintenance/index.ts';
import { CliError } from './command.ts';
import { capitalize } from './format.ts';
import { byName, normalizeIndexes, type Source, type SourceCollection } from './source.ts';

export interface EmbeddedSourceOptions {
  /** The store's own folder. */
  folder: string;
  name: string;
  database: string;
  /** Reject a store that a process serves: its later writes would be missing. @default false */
  mustBeStopped?: boolean;
}

/** Documents read before the event loop gets a turn. */
const DOCUMENTS_PER_TURN = 500;

/** Reads a snapshot of an embedded store, whether or not a gateway serves it. @throws CliError when it cannot be read */
export async function openEmbeddedSource(options: EmbeddedSourceOptions): Promise<Source> {
  const snapshot = await openSnapshot(options.folder).catch((error: unknown) => {
    throw error instanceof FolderError ? new CliError(`${error.message}.`) : error;
  });
  try {
    return toSource(snapshot, options);
  } catch (error) {
    await snapshot.close();
    throw error;
  }
}

function toSource(snapshot: StoreSnapshot, { name, database, mustBeStopped }: EmbeddedSourceOptions): Source {
  if (mustBeStopped && snapshot.owner !== undefined) {
    throw new CliError(
      `${capitalize(snapshot.owner)} serves ${name}: its later writes would be missing. Stop it, or import a backup.`,
    );
  }
  const found = new Map<SourceCollection, SnapshotCollection>();
  for (const collection of snapshot.collections.filter(({ db }) => db === database)) {
    const { name, documents, indexes } = collection;
    found.set({ name, documents, indexes: normalizeIndexes(indexes), options: {} }, collection);
  }
  const others = [...new Set(snapshot.collections.map(({ db }) => db))].filter((db) => db !== database);
  if (found.size === 0) {
    const advice = others.length > 0 ? ` It contains ${others.join(', ')}: see --database.` : '';
    throw new CliError(`${name} contains no database '${database}'.${advice}`);
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
        if (++count % DOCUMENTS_PER_TURN === 0) await yieldToEventLoop();
        yield { bytes };
      }
    },
    isOneMoment: () => true,
    close: () => snapshot.close(),
  };
}
