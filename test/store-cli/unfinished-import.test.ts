import { afterAll, beforeAll, expect, it } from 'vitest';
import { ConfigError } from '../../src/config.ts';
import { prepareDatabase } from '../../src/store/prepare.ts';
import { openTestStore, type TestStore } from '../support/store.ts';

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
