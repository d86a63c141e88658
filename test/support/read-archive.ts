import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { expect } from 'vitest';
import type { Manifest } from '../../src/export/write-archive.ts';
import type { TestGateway } from './gateway.ts';
import { successfulMutations } from './mutate.ts';

/** The entries of an export by name, in the order of the archive. */
export type Archive = Map<string, Buffer>;

/** Reads a compressed archive. @throws for one that is truncated or damaged */
export async function readArchive(bytes: Buffer): Promise<Archive> {
  const entries: Archive = new Map();
  const tar = extract();
  const read = (async () => {
    for await (const entry of tar) {
      const chunks: Buffer[] = [];
      for await (const chunk of entry) chunks.push(chunk as Buffer);
      entries.set(entry.header.name, Buffer.concat(chunks));
    }
  })();
  await Promise.all([pipeline(Readable.from([bytes]), createGunzip(), tar), read]);
  return entries;
}

/** The exported records of one collection. */
export function recordsIn(archive: Archive, collection: string): Array<Record<string, unknown>> {
  const parts = [...archive].filter(([name]) => name.startsWith(`records/${collection}-`));
  const lines = parts.flatMap(([, content]) => content.toString().trimEnd().split('\n'));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

export function manifestOf(archive: Archive): Manifest {
  return JSON.parse(archive.get('manifest.json')!.toString()) as Manifest;
}

/** Requests an export and returns the path of its download: its host is that of files in tests. */
export async function exportPath(gateway: TestGateway, as: string, input: object = {}): Promise<string> {
  const { export: created } = await successfulMutations(gateway)(as, 'exportUser', input, 'export { url }');
  const { pathname, search } = new URL(created.url as string);
  return `${gateway.url}${pathname}${search}`;
}

/** Requests and reads an export. */
export async function downloadExport(gateway: TestGateway, as: string, input: object = {}): Promise<Archive> {
  const response = await fetch(await exportPath(gateway, as, input));
  expect(response.status).toBe(200);
  return readArchive(Buffer.from(await response.arrayBuffer()));
}
