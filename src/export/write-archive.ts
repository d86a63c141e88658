import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { type Pack, pack } from 'tar-stream';
import type { Services } from '../context.ts';
import { isPlainId } from '../files/file-storage.ts';
import type { FileRecord } from '../store/records/media.ts';
import { EXPORTED_NAMES, type Person, readExported, recordsOf } from './read-exported.ts';

/** An entry of a tar archive begins with its size: records are written in parts of about this size. */
const PART_BYTES = 1_048_576;

/** The last entry of an archive: what the archive contains. */
export interface Manifest {
  format: 'colloquy-export';
  version: 1;
  networkId: string;
  userId: string;
  startedAt: Date;
  completedAt: Date;
  /** Number of records by collection. */
  records: { [collection: string]: number };
  files: {
    count: number;
    /** Files whose record exists, but whose bytes do not. */
    missing: number;
  };
}

type Source = Pick<Services, 'store' | 'files' | 'now'>;

/**
 * Everything that is stored about a person, as a compressed tar archive: `records/<collection>-<part>.ndjson`,
 * `files/<id>.<extension>`, and `manifest.json` at the end. It is written while it is read, with a few megabytes in memory.
 *
 * After an error the stream is destroyed before the end of the compressed data, whose checksum is then missing.
 */
export function createArchive(source: Source, person: Person): Readable {
  const archive = pack();
  const compressed = createGzip({ level: constants.Z_BEST_SPEED });
  // Ends both streams when either fails, such as when the reader disconnects; the compressed one then reports the error.
  pipeline(archive, compressed).catch(() => undefined);
  writeEntries(archive, source, person).catch((error: unknown) => {
    archive.destroy(error as Error);
    compressed.destroy(error as Error);
  });
  return compressed;
}

async function writeEntries(archive: Pack, source: Source, person: Person): Promise<void> {
  const { networkId, userId } = person;
  const startedAt = source.now();
  const records: Manifest['records'] = {};
  for (const name of EXPORTED_NAMES) {
    records[name] = await writeRecords(archive, name, readExported(source.store.collections, name, person));
  }
  const files = await writeFiles(archive, source, person);
  const completedAt = source.now();
  const manifest: Manifest = {
    ...{ format: 'colloquy-export', version: 1, networkId, userId, startedAt, completedAt },
    ...{ records, files },
  };
  await writeEntry(archive, 'manifest.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
  archive.finalize();
}

/** @returns the number of records */
async function writeRecords(archive: Pack, name: string, records: AsyncIterable<object>): Promise<number> {
  let count = 0;
  let part = 0;
  let lines: Buffer[] = [];
  let bytes = 0;
  const flush = async () => {
    if (bytes === 0) return;
    part += 1;
    const path = `records/${name}-${String(part).padStart(4, '0')}.ndjson`;
    await writeEntry(archive, path, Buffer.concat(lines, bytes));
    lines = [];
    bytes = 0;
  };
  for await (const record of records) {
    const line = Buffer.from(`${JSON.stringify(record)}\n`);
    count += 1;
    lines.push(line);
    bytes += line.length;
    if (bytes >= PART_BYTES) await flush();
  }
  await flush();
  return count;
}

async function writeFiles(archive: Pack, source: Source, person: Person): Promise<Manifest['files']> {
  const files = { count: 0, missing: 0 };
  for await (const record of recordsOf(source.store.collections, 'files', person)) {
    const file = record as FileRecord;
    if (file.isDeleted) continue;
    const isWritten = await writeFile(archive, source, file);
    files[isWritten ? 'count' : 'missing'] += 1;
  }
  return files;
}

/** @returns whether the bytes of the file exist */
async function writeFile(archive: Pack, { files }: Source, file: FileRecord): Promise<boolean> {
  const { fileId, createdAt, attributes } = file;
  const stored = isPlainId(fileId) ? await files.get(fileId) : null;
  if (!stored) return false;
  // Stored names and extensions come from clients: only plain ones become part of a path.
  const extension = /^[A-Za-z0-9]{1,10}$/.test(attributes.extension) ? attributes.extension : 'bin';
  try {
    const entry = archive.entry({ name: `files/${fileId}.${extension}`, size: stored.size, mtime: createdAt });
    await pipeline(stored.bytes, entry);
    return true;
  } finally {
    // `entry` throws if the reader left while the file was opened.
    stored.bytes.destroy();
  }
}

async function writeEntry(archive: Pack, name: string, content: Buffer): Promise<void> {
  const entry = archive.entry({ name, size: content.length });
  await pipeline(Readable.from([content]), entry);
}
