import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { Failure } from './command.ts';
import type { ManifestCollection } from './manifest.ts';

/** A document of 16 MiB is at most about six times that in Extended JSON. */
const LONGEST_LINE = 256 * 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * The lines of a file of an export, which must be the ones that the manifest describes.
 *
 * @throws Failure, at the latest after the last line, when the file is cut off, damaged or another one
 */
export async function* readLines(path: string, expected: ManifestCollection): AsyncGenerator<string> {
  const hash = createHash('sha256');
  let bytes = 0;
  let lines = 0;
  let rest: Buffer[] = [];
  let restSize = 0;
  try {
    for await (const chunk of openFile(path)) {
      hash.update(chunk);
      bytes += chunk.length;
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        rest.push(chunk.subarray(start, end));
        lines++;
        yield (rest.length === 1 ? rest[0]! : Buffer.concat(rest)).toString('utf8');
        rest = [];
        restSize = 0;
        start = end + 1;
      }
      if (start < chunk.length) {
        rest.push(chunk.subarray(start));
        restSize += chunk.length - start;
        if (restSize > LONGEST_LINE) throw new Failure(`${path} is damaged: line ${lines + 1} does not end.`);
      }
    }
  } catch (error) {
    throw error instanceof Failure ? error : new Failure(`${path} cannot be read: ${textOf(error)}.`);
  }
  const counted = `${lines} of ${expected.documents} documents, ${bytes} of ${expected.bytes} bytes`;
  if (bytes < expected.bytes || restSize > 0) throw new Failure(`${path} is cut off: ${counted}.`);
  if (bytes !== expected.bytes || lines !== expected.documents)
    throw new Failure(`${path} is another file: ${counted}.`);
  if (hash.digest('hex') !== expected.sha256) throw new Failure(`${path} is damaged: its checksum is another.`);
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function openFile(path: string): AsyncIterable<Buffer> {
  const file = createReadStream(path, { highWaterMark: 1 << 18 });
  if (!path.endsWith('.gz')) return file;
  const unzipped = createGunzip();
  file.once('error', (error) => unzipped.destroy(error));
  unzipped.once('close', () => file.destroy());
  return file.pipe(unzipped);
}
