import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type Document, EJSON } from 'bson';
import { FIRST_VERSION, MIGRATIONS } from '../store/migrations/list.ts';
import { CliError } from './command.ts';
import { fromLine, type Stored } from './documents.ts';
import { readLines } from './lines.ts';
import { type ManifestCollection, readManifest } from './manifest.ts';
import type { Source, SourceCollection } from './source.ts';

export interface FolderSource extends Source {
  /**
   * Reads every file once and compares it with the manifest.
   *
   * @param onProgress called with the number of documents read so far
   * @throws CliError when a file is missing, truncated or damaged
   */
  verify(onProgress: (documents: number) => void): Promise<void>;
}

/** Reads a folder that `export` wrote. @throws CliError when it is not an export, or one of a newer version */
export async function openFolderSource(folder: string): Promise<FolderSource> {
  const manifest = await readManifest(folder);
  const latest = MIGRATIONS.at(-1)?.version ?? FIRST_VERSION;
  if ((manifest.schemaVersion ?? 0) > latest) {
    throw new CliError(
      `${folder} contains data of schema version ${manifest.schemaVersion}, this release supports up to ${latest}; use a later release.`,
    );
  }
  const found = new Map<SourceCollection, ManifestCollection>();
  for (const entry of manifest.collections) {
    const exact = (given: unknown) => EJSON.deserialize(given as Document, { relaxed: false }) as Document;
    const { name, documents } = entry;
    found.set({ name, documents, indexes: entry.indexes.map(exact), options: exact(entry.options) }, entry);
  }
  const pathOf = (entry: ManifestCollection) => join(folder, entry.file);
  return {
    name: folder,
    database: manifest.database,
    identity: `export ${createHash('sha256').update(JSON.stringify(manifest)).digest('hex')}`,
    collections: [...found.keys()],
    async *read(collection) {
      const entry = found.get(collection)!;
      let line = 0;
      for await (const text of readLines(pathOf(entry), entry)) yield parseLine(text, pathOf(entry), ++line);
    },
    isOneMoment: () => manifest.isOneMoment,
    async verify(onProgress) {
      let documents = 0;
      for (const entry of found.values()) {
        for await (const _ of readLines(pathOf(entry), entry)) onProgress(++documents);
      }
    },
    close: async () => undefined,
  };
}

function parseLine(text: string, path: string, line: number): Stored {
  try {
    return fromLine(text);
  } catch (error) {
    throw new CliError(
      `${path}, line ${line} is not a document: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
