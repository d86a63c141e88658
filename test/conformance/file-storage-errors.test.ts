import filesystem, { rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createStorage } from '../../src/files/create-storage.ts';
import { useFileRequests } from '../support/file-requests.ts';

const setup = useFileRequests();

test('answers an upload that cannot be stored, and keeps serving', async () => {
  const { files: storage } = setup.gateway.services;
  const put = storage.put;
  storage.put = async (_, bytes) => {
    bytes.destroy();
    throw new Error('no space left');
  };
  const before = await setup.files.records();
  const failed = await setup.files.upload('/api/v4/files', [
    ['files', new Uint8Array(2 * 1_048_576), 'big'],
    ['files', new Uint8Array(2 * 1_048_576), 'another'],
  ]);
  storage.put = put;
  expect([failed.status, failed.body]).toMatchObject([500, { status: 'error', code: 500000 }]);
  expect(await setup.files.records()).toBe(before);
  expect((await setup.files.upload('/api/v4/files', [['files', 'x', 'x.txt']])).status).toBe(200);
});

test('removes the partial files of a killed process after a day', async () => {
  const folder = join(setup.gateway.services.config.DATA_DIR, 'files');
  const paths = ['old.part', 'new.part'].map((name) => join(folder, name));
  for (const path of paths) await writeFile(path, 'x');
  await utimes(paths[0]!, 1, 1);
  createStorage(setup.gateway.services.config);
  const partial = async () => (await setup.files.kept()).filter((name) => name.endsWith('.part'));
  await expect.poll(partial).toEqual(['new.part']);
  await rm(paths[1]!);
});

test('answers 503 for a file that cannot be opened', async () => {
  const { body } = await setup.files.upload('/api/v4/files', [['files', 'x', 'x.txt']]);
  const { fileId } = body[0];
  const path = join(setup.gateway.services.config.DATA_DIR, 'files', fileId);
  await rm(path);
  expect((await setup.files.fetchFile(fileId)).status).toBe(404);
  await symlink(fileId, path);
  const failed = await setup.files.fetchFile(fileId);
  expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, '2']);
  await rm(path);
});

test.each(['EIO', 'ESTALE', 'ENOTCONN', 'EROFS'])(
  'answers an upload with 503 while the folder fails with %s',
  async (code) => {
    const fail = () => Promise.reject(Object.assign(new Error(code), { code }));
    const failing = (['rename', 'rm'] as const).map((name) => vi.spyOn(filesystem, name).mockImplementation(fail));
    syncBuiltinESMExports();
    const send = () =>
      fetch(`${setup.gateway.url}/api/v4/files`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=b' },
        body: '--b\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\ntext\r\n--b--\r\n',
      });
    const token = await setup.gateway.tokenOf('alice');
    const before = await setup.files.records();
    const failed = await send();
    for (const spy of failing) spy.mockRestore();
    syncBuiltinESMExports();
    expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await failed.json()).toMatchObject({ status: 'error', code: 500000 });
    expect(await setup.files.records()).toBe(before);
    expect((await send()).status).toBe(200);
  },
);
