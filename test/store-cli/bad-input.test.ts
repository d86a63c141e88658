import { createHash } from 'node:crypto';
import { appendFile, cp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildStoreProgram, type StoreProgram, withStore } from './program.ts';

let program: StoreProgram;
let exported: string;
beforeAll(async () => {
  program = await buildStoreProgram();
  const data = join(program.folder, 'data');
  exported = join(program.folder, 'exported');
  await withStore(data, async (db) => {
    await db.collection('rows').insertMany(Array.from({ length: 50 }, (_, n) => ({ n, text: `row ${n}` })));
  });
  expect(await program.run(['export', exported, '--data-dir', data])).toMatchObject({ code: 0 });
});
afterAll(() => program.remove());

interface Manifest {
  collections: Array<Record<string, unknown>>;
}

async function changeManifest(folder: string, change: (manifest: Manifest) => void): Promise<void> {
  const path = join(folder, 'manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8'));
  change(manifest);
  await writeFile(path, JSON.stringify(manifest));
}

/** Replaces the lines and their size and checksum in the manifest. */
async function writeLines(folder: string, lines: string[]): Promise<void> {
  const text = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  await writeFile(join(folder, 'rows.ndjson'), text);
  const sha256 = createHash('sha256').update(text).digest('hex');
  await changeManifest(folder, ({ collections }) =>
    Object.assign(collections[0]!, { documents: lines.length, bytes: text.length, sha256 }),
  );
}

const rows = (folder: string): string => join(folder, 'rows.ndjson');

describe('import rejects', { timeout: 120_000 }, () => {
  it.each<[string, (folder: string) => Promise<unknown>, RegExp]>([
    ['a truncated file', (folder) => truncate(rows(folder), 1000), /rows\.ndjson is truncated: \d+ of 50 documents/],
    ['a missing file', (folder) => rm(rows(folder)), /rows\.ndjson cannot be read/],
    ['a file with more lines', (folder) => appendFile(rows(folder), '{"_id":1}\n'), /rows\.ndjson is a different file/],
    [
      'a file with different content',
      async (folder) => writeFile(rows(folder), (await readFile(rows(folder), 'utf8')).replace('row 7', 'row 8')),
      /rows\.ndjson is damaged: its checksum does not match/,
    ],
    ['a line that is not JSON', (folder) => writeLines(folder, ['{"_id":']), /rows\.ndjson, line 1 is not a document/],
    [
      'a line that is not a document',
      (folder) => writeLines(folder, ['[1]']),
      /rows\.ndjson, line 1 is not a document/,
    ],
    [
      'a duplicate document',
      (folder) => writeLines(folder, ['{"_id":1}', '{"_id":1}']),
      /rejects a document of rows: .*duplicate key/,
    ],
    [
      'a newer format',
      (folder) => changeManifest(folder, (manifest) => Object.assign(manifest, { format: 2 })),
      /has export format 2, this release reads 1/,
    ],
    [
      'data of a later release',
      (folder) => changeManifest(folder, (manifest) => Object.assign(manifest, { schemaVersion: 9999 })),
      /contains data of schema version 9999/,
    ],
    [
      'a file outside the folder',
      (folder) =>
        changeManifest(folder, ({ collections }) =>
          Object.assign(collections[0]!, { file: '../../etc/passwd.ndjson' }),
        ),
      /manifest\.json is damaged: collections\.0\.file/,
    ],
    ['an invalid manifest', (folder) => writeFile(join(folder, 'manifest.json'), '{'), /manifest\.json is damaged/],
    [
      'an index of an unsupported kind',
      (folder) =>
        changeManifest(folder, ({ collections }) => {
          collections[0]!.indexes = [{ name: 'text', key: { text: 'text' } }];
        }),
      /rejects the indexes of rows: .*'text'/,
    ],
  ])('%s', async (what, damage, text) => {
    const folder = join(program.folder, what.replaceAll(' ', '-'));
    await cp(exported, folder, { recursive: true });
    await damage(folder);
    const target = `${folder}.target`;
    const { code, out, err } = await program.run(['import', folder, '--data-dir', target]);
    expect([code, out, err]).toEqual([1, '', expect.stringMatching(text)]);
    expect(await readdir(target).catch((): string[] => [])).not.toContain('store');
  });
});

describe.skipIf(process.platform !== 'linux')(
  'a folder in /proc, where no folder can be created, is refused by',
  () => {
    it.each([
      ['backup', ['backup', '/proc/colloquy/new', '--data-dir', 'data']],
      ['salvage', ['salvage', '/proc/colloquy/new', '--data-dir', 'data']],
      ['export', ['export', '/proc/colloquy/new', '--data-dir', 'data']],
      ['restore', ['restore', 'data', '--data-dir', '/proc/colloquy/new']],
      ['import', ['import', 'exported', '--data-dir', '/proc/colloquy/new']],
    ])('%s', { timeout: 120_000 }, async (_, args) => {
      const { child, ended } = program.start(args);
      onTestFinished(() => void child.kill('SIGKILL'));
      const { code, err } = await ended;
      const message = '/proc/colloquy/new cannot be created: this file system takes no folders.';
      expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    });
  },
);
