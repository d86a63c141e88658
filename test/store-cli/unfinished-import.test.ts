import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConfigError, readConfig } from '../../src/config.ts';
import { prepareDatabase } from '../../src/store/prepare.ts';
import { syncTree } from '../../src/store-cli/create-folder.ts';
import type { Source } from '../../src/store-cli/source.ts';
import { openTarget, type Target } from '../../src/store-cli/target.ts';
import { openTestStore, type TestStore } from '../support/store.ts';
import { withStore } from './program.ts';

vi.mock('../../src/store-cli/create-folder.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../src/store-cli/create-folder.ts')>();
  return { ...original, syncTree: vi.fn(original.syncTree) };
});

let opened: TestStore;
beforeAll(async () => {
  opened = await openTestStore();
});
afterAll(() => opened.close());

it('a gateway does not start on a database with an unfinished import', async () => {
  const { store, db } = opened;
  const states = db.collection<{ _id: string }>('unfinishedImport');
  await states.insertOne({ _id: 'import' });
  const starting = prepareDatabase(store.client, db);
  await expect(starting).rejects.toThrow(ConfigError);
  await expect(starting).rejects.toThrow('--resume');
  await states.drop();
  await prepareDatabase(store.client, db);
});

describe('an import into the embedded store of a data folder', { timeout: 120_000 }, () => {
  const source: Source = {
    name: 'source',
    database: 'colloquy',
    identity: 'source',
    collections: [],
    async *read() {},
    isOneMoment: () => true,
    close: async () => undefined,
  };
  let parent: string;
  let data: string;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'colloquy-import-'));
    data = join(parent, 'data');
  });
  afterEach(() => rm(parent, { recursive: true, force: true }));

  const begin = (): Promise<Target> =>
    openTarget({ config: readConfig({ DATA_DIR: data }), source, isResumed: false, database: undefined });
  const countRows = (folder: string): Promise<number> =>
    withStore(folder, (db) => db.collection('rows').countDocuments({}));
  const fill = (folder: string): Promise<unknown> =>
    withStore(folder, (db) => db.collection('rows').insertOne({ a: 1 }));

  it('prevents a gateway from starting until it is complete, and replaces an empty store', async () => {
    await countRows(data);
    const target = await begin();
    await target.db.collection('rows').insertMany([{ a: 1 }, { a: 2 }]);
    await expect(countRows(data)).rejects.toThrow('contains an unfinished import: continue it with');
    await target.finish();
    expect(await readdir(data)).toEqual(['store']);
    expect(await countRows(data)).toBe(2);
  });

  it('replaces no store to which a gateway has written while the imported data was flushed', async () => {
    await fill(join(parent, 'gateway'));
    const target = await begin();
    vi.mocked(syncTree).mockImplementationOnce(() =>
      cp(join(parent, 'gateway', 'store'), join(data, 'store'), { recursive: true }),
    );
    await expect(target.finish()).rejects.toThrow(`${data} is not empty`);
    expect((await readdir(data)).sort()).toEqual(['store', 'store.importing']);
    await rm(join(data, 'store.importing'), { recursive: true });
    expect(await countRows(data)).toBe(1);
  });
});
