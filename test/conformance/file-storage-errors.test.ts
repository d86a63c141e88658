import { rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStorage } from '../../src/files/create-storage.ts';
import { type FileRequests, fileRequests } from '../support/file-requests.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
let files: FileRequests;
beforeAll(async () => {
  gateway = await startTestGateway();
  files = fileRequests(gateway);
});
afterAll(() => gateway.close());

test('answers an upload that cannot be stored, and keeps serving', async () => {
  const { files: storage } = gateway.services;
  const put = storage.put;
  storage.put = async (_, bytes) => {
    bytes.destroy();
    throw new Error('no space left');
  };
  const before = await files.records();
  const failed = await files.upload('/api/v4/files', [
    ['files', new Uint8Array(2 * 1_048_576), 'big'],
    ['files', new Uint8Array(2 * 1_048_576), 'another'],
  ]);
  storage.put = put;
  expect([failed.status, failed.body]).toMatchObject([500, { status: 'error', code: 500000 }]);
  expect(await files.records()).toBe(before);
  expect((await files.upload('/api/v4/files', [['files', 'x', 'x.txt']])).status).toBe(200);
});

test('removes the partial files of a killed process after a day', async () => {
  const folder = join(gateway.services.config.DATA_DIR, 'files');
  const paths = ['old.part', 'new.part'].map((name) => join(folder, name));
  for (const path of paths) await writeFile(path, 'x');
  await utimes(paths[0]!, 1, 1);
  createStorage(gateway.services.config);
  const partial = async () => (await files.kept()).filter((name) => name.endsWith('.part'));
  await expect.poll(partial).toEqual(['new.part']);
  await rm(paths[1]!);
});

test('answers 503 for a file that cannot be opened', async () => {
  const { body } = await files.upload('/api/v4/files', [['files', 'x', 'x.txt']]);
  const { fileId } = body[0];
  const path = join(gateway.services.config.DATA_DIR, 'files', fileId);
  await rm(path);
  expect((await files.fetchFile(fileId)).status).toBe(404);
  await symlink(fileId, path);
  const failed = await files.fetchFile(fileId);
  expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, '2']);
  await rm(path);
});
