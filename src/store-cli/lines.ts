import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { CliError } from './command.ts';
import type { ManifestCollection } from './manifest.ts';

/** In bytes. A document of 16 MiB is at most about 96 MiB of Extended JSON. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Reads the lines of an exported file and checks them against the manifest.
 *
 * @throws CliError, at the latest after the last line, when the file is truncated, damaged or a different one
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
        if (restSize > MAX_LINE_BYTES) throw new CliError(`${path} is damaged: line ${lines + 1} is too long.`);
      }
    }
  } catch (error) {
    throw error instanceof CliError ? error : new CliError(`${path} cannot be read: ${textOf(error)}.`);
  }
  const counted = `${lines} of ${expected.documents} documents, ${bytes} of ${expected.bytes} bytes`;
  if (bytes < expected.bytes || restSize > 0) throw new CliError(`${path} is truncated: ${counted}.`);
  if (bytes !== expected.bytes || lines !== expected.documents)
    throw new CliError(`${path} is a different file: ${counted}.`);
  if (hash.digest('hex') !== expected.sha256) throw new CliError(`${path} is damaged: its checksum does not match.`);
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
