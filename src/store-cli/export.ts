import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { finished, pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { BSON, type Document, EJSON } from 'bson';
import type { Config } from '../config.ts';
import { findStore } from './check.ts';
import type { Call, Command } from './command.ts';
import { connect, DEFAULT_DATABASE } from './connect.ts';
import { createFolder } from './create-folder.ts';
import { idOf, toLine } from './documents.ts';
import { openEmbeddedSource } from './embedded-source.ts';
import { formatBytes, formatCount } from './format.ts';
import { EXPORT_FORMAT, MANIFEST, type Manifest, type ManifestCollection } from './manifest.ts';
import { openMongoSource } from './mongo-source.ts';
import { startProgress } from './progress.ts';
import type { Source, SourceCollection } from './source.ts';

export const exportCommand: Command = {
  usage: 'export FOLDER [--gzip]',
  help: `Writes all documents as Extended JSON, one file per collection.

  FOLDER         the target folder; must not exist
  --gzip         compresses the files
  --uri URI      the MongoDB server to read (default MONGODB_URI; without it the embedded store)
  --database D   the database (default the one of the URI, else ${DEFAULT_DATABASE})
  --no-snapshot  reads a server without a snapshot; stop all writers first

Each line is a document in canonical Extended JSON; a manifest lists the files with their checksums. The export is a
consistent snapshot: always for the embedded store, whether or not the gateway runs, and for MongoDB replica sets and
sharded clusters. Uploaded files and keys are not exported; they stay in the data folder.`,
  options: {
    gzip: { type: 'boolean' },
    uri: { type: 'string' },
    database: { type: 'string' },
    'no-snapshot': { type: 'boolean' },
  },
  positionalCount: [1, 1],
  async run({ config, positionals, options }: Call) {
    const target = resolve(positionals[0]!);
    const { source, close } = await openSource(config, options);
    try {
      const begun = Date.now();
      let written: Manifest | undefined;
      await createFolder(target, async (into) => {
        written = await writeExport(source, { into, isZipped: options.gzip === true });
      });
      report(positionals[0]!, written!, begun);
    } finally {
      await close();
    }
  },
};

async function openSource(
  config: Config,
  options: Call['options'],
): Promise<{ source: Source; close(): Promise<void> }> {
  const database = options.database === undefined ? undefined : String(options.database);
  if (config.MONGODB_URI === undefined) {
    const folder = findStore(config.DATA_DIR);
    const name = config.DATA_DIR;
    const source = await openEmbeddedSource({ folder, name, database: database ?? DEFAULT_DATABASE });
    return { source, close: () => source.close() };
  }
  const { client, databaseName, name } = await connect(config.MONGODB_URI, database);
  try {
    const isOneMoment = options['no-snapshot'] !== true;
    const source = await openMongoSource({ client, db: client.db(databaseName), name, isOneMoment });
    return { source, close: () => source.close().finally(() => client.close()) };
  } catch (error) {
    await client.close();
    throw error;
  }
}

interface ExportOptions {
  into: string;
  isZipped: boolean;
}

/** Writes all collections and, last, the manifest. Memory use does not depend on the size of the database. */
async function writeExport(source: Source, { into, isZipped }: ExportOptions): Promise<Manifest> {
  const total = source.collections.reduce((sum, { documents }) => sum + documents, 0);
  const progress = startProgress({ label: 'Exporting', total });
  const collections: ManifestCollection[] = [];
  let schemaVersion: number | undefined;
  let done = 0;
  try {
    for (const [position, collection] of source.collections.entries()) {
      const file = `${fileName(collection.name, position)}.ndjson${isZipped ? '.gz' : ''}`;
      const before = done;
      const written = await writeCollection(source, collection, {
        path: join(into, file),
        onDocument(bytes) {
          progress.update(++done);
          schemaVersion ??= versionIn(collection.name, bytes);
        },
      });
      const exact = (value: Document) => EJSON.serialize(value, { relaxed: false }) as Record<string, unknown>;
      const { name, indexes, options } = collection;
      const described = { indexes: indexes.map(exact), options: exact(options) };
      collections.push({ name, file, documents: done - before, ...written, ...described });
    }
  } finally {
    progress.end();
  }
  const manifest: Manifest = {
    export: 'colloquy',
    format: EXPORT_FORMAT,
    createdAt: new Date().toISOString(),
    database: source.database,
    source: source.identity.startsWith('store') ? 'embedded' : 'mongodb',
    isOneMoment: source.isOneMoment(),
    ...(schemaVersion !== undefined && { schemaVersion }),
    collections,
  };
  await writeFile(join(into, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

/** The name of the collection if it is a valid file name everywhere. */
const fileName = (name: string, position: number): string =>
  /^[\w-]{1,100}$/.test(name) ? name : `collection-${position}`;

interface CollectionOptions {
  path: string;
  onDocument(bytes: Buffer): void;
}

/** Bytes buffered before a write. */
const CHUNK_BYTES = 1 << 18;

async function writeCollection(
  source: Source,
  collection: SourceCollection,
  { path, onDocument }: CollectionOptions,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  const file = createWriteStream(path, { flags: 'wx' });
  const zip = path.endsWith('.gz') ? createGzip() : undefined;
  const sink = zip ?? file;
  // Rejects when the disk is full, possibly while documents are being read; flush() waits for it too.
  const done = zip ? pipeline(zip, file) : finished(file);
  done.catch(() => undefined);
  let bytes = 0;
  let lines: string[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    const chunk = Buffer.from(lines.join(''));
    lines = [];
    size = 0;
    hash.update(chunk);
    bytes += chunk.length;
    if (!sink.write(chunk)) await Promise.race([once(sink, 'drain'), done]);
  };
  for await (const { bytes: document } of source.read(collection)) {
    lines.push(toLine(document), '\n');
    size += document.length * 2;
    onDocument(document);
    if (size > CHUNK_BYTES) await flush();
  }
  await flush();
  sink.end();
  await done;
  return { bytes, sha256: hash.digest('hex') };
}

/** The schema version, from the document in which the migrations record it. */
function versionIn(collection: string, bytes: Buffer): number | undefined {
  if (collection !== 'migrations' || idOf(bytes) !== '"schema"') return undefined;
  const { version } = BSON.deserialize(bytes);
  return Number.isInteger(version) ? version : undefined;
}

function report(folder: string, { collections, isOneMoment }: Manifest, begun: number): void {
  const documents = collections.reduce((sum, collection) => sum + collection.documents, 0);
  const bytes = collections.reduce((sum, collection) => sum + collection.bytes, 0);
  const seconds = ((Date.now() - begun) / 1000).toFixed(1);
  const what = `${formatCount(documents, 'document')} in ${formatCount(collections.length, 'collection')}, ${formatBytes(bytes)}`;
  console.log(`${folder}: ${what}, ${seconds} s.`);
  if (!isOneMoment) console.log('This is not a consistent snapshot: writes during the export may be included in part.');
}
