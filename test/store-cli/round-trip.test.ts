import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshDatabaseName } from '../support/store.ts';
import { insertEdgeValues } from './edge-values.ts';
import { buildStoreProgram, readExport, type StoreProgram, withStore } from './program.ts';

let program: StoreProgram;
let source: string;
let exported: string;
beforeAll(async () => {
  program = await buildStoreProgram();
  source = join(program.folder, 'source');
  exported = join(program.folder, 'exported');
  await withStore(source, insertEdgeValues);
  expect(await program.run(['export', exported, '--data-dir', source])).toMatchObject(ok);
});
afterAll(() => program.remove());

/** Exports a data folder and reads the export. */
async function exportOf(folder: string): ReturnType<typeof readExport> {
  const to = `${folder}.exported`;
  expect(await program.run(['export', to, '--data-dir', folder])).toMatchObject(ok);
  return readExport(to);
}

const ok = { code: 0 };

it('exports and imports every document and index byte for byte', async () => {
  const before = await readExport(exported);
  expect(before.manifest).toMatchObject({ format: 1, isOneMoment: true, schemaVersion: 1 });
  const values = await readFile(join(exported, 'values.ndjson'), 'utf8');
  expect(values.includes('"like":{"$numberInt":"5"},"love":{"$numberDouble":"5.0"}')).toBe(true);
  expect(values.split('\n').filter((line) => line.startsWith('{"$bson"')).length).toBeLessThan(4);
  const target = join(program.folder, 'target');
  expect(await program.run(['import', exported, '--data-dir', target])).toMatchObject(ok);
  expect(await exportOf(target)).toEqual(before);
  expect(await program.run(['check', target])).toMatchObject(ok);
});

it('a compressed export contains the same data', async () => {
  const zipped = join(program.folder, 'zipped');
  expect(await program.run(['export', zipped, '--gzip', '--data-dir', source])).toMatchObject(ok);
  const target = join(program.folder, 'from-zipped');
  expect(await program.run(['import', zipped, '--data-dir', target])).toMatchObject(ok);
  expect(await exportOf(target)).toEqual(await readExport(exported));
});

it.runIf(process.env.MONGODB_URI)('a data folder moves into a MongoDB server and back', async () => {
  const uri = process.env.MONGODB_URI!;
  const database = freshDatabaseName();
  const client = await MongoClient.connect(uri);
  try {
    const moved = await program.run(['import', source, '--database', database], { uri });
    expect(moved).toMatchObject({ code: 0 });
    expect(moved.out).toContain('compared and equal');
    expect(await client.db(database).collection('unfinishedImport').countDocuments()).toBe(0);
    const indexes = await client.db(database).collection('sessions').indexes();
    expect(indexes).toContainEqual(expect.objectContaining({ key: { expiresAt: 1 }, expireAfterSeconds: 0 }));

    // Before the TTL monitor of the server runs.
    const fromServer = join(program.folder, 'from-server');
    expect(await program.run(['export', fromServer, '--database', database], { uri })).toMatchObject({ code: 0 });
    const { manifest, files } = await readExport(fromServer);
    const before = await readExport(exported);
    expect(withoutSessions(manifest)).toEqual(withoutSessions(before.manifest));
    expect({ ...files, 'sessions.ndjson': null }).toEqual({ ...before.files, 'sessions.ndjson': null });

    const back = join(program.folder, 'back');
    expect(await program.run(['import', fromServer, '--data-dir', back])).toMatchObject({ code: 0 });
    expect((await exportOf(back)).files['values.ndjson']).toEqual(before.files['values.ndjson']);

    const again = await program.run(['import', source, '--database', database], { uri });
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('is not empty') });
  } finally {
    await client.db(database).dropDatabase();
    await client.close();
  }
});

const withoutSessions = (manifest: object): object[] =>
  (manifest as { collections: Array<{ name: string }> }).collections.filter(({ name }) => name !== 'sessions');
