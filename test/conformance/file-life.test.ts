import { expect, test } from 'vitest';
import { useFileRequests } from '../support/file-requests.ts';
import { mutations } from '../support/mutate.ts';
import { PNG } from '../support/png.ts';

const setup = useFileRequests();
const mutate = mutations(() => setup.gateway);

test('deletion of a file with a key removes record and bytes, also when repeated', async () => {
  const { body } = await setup.files.upload('/api/v4/files', [['files', 'short', 'short.txt']]);
  const { fileId } = body[0];
  for (const _ of [1, 2]) {
    const input = { fileId, clientMutationId: `delete ${fileId}` };
    expect(await mutate('alice', 'deleteFile', input, 'file { fileId }')).toMatchObject({ file: { fileId } });
    expect((await setup.files.fetchFile(fileId)).status).toBe(404);
    expect(await setup.files.kept()).not.toContain(fileId);
  }
});

test('changes the alternative text of a file over REST', async () => {
  const { body } = await setup.files.upload('/api/v4/images', [['files', PNG, 'one.png', 'image/png']]);
  const path = `/api/v3/files/${body[0].fileId}`;
  const changed = await setup.gateway.rest(path, { method: 'PUT', body: { altText: 'A red square' } });
  expect([changed.status, changed.body.altText]).toEqual([200, 'A red square']);
  expect((await setup.gateway.rest(path)).body.altText).toBe('A red square');
  expect((await setup.gateway.rest(path, { as: 'bob', method: 'PUT', body: { altText: 'Mine' } })).status).toBe(403);
});

test('a file is described by its owner and absent after its deletion', async () => {
  const { body } = await setup.files.upload('/api/v4/images', [['files', PNG, 'a.png']], 'bob');
  const { fileId } = body[0];
  const change = { fileId, altText: 'A dot', accessType: 'NETWORK' };
  expect((await mutate('carol', 'updateFile', change, 'file { altText }')).code).toBe('PERMISSION_DENIED');
  expect((await mutate('bob', 'updateFile', change, 'file { altText accessType }')).file).toEqual({
    altText: 'A dot',
    accessType: 'NETWORK',
  });
  expect((await setup.gateway.rest(`/api/v3/files/${fileId}`, { as: 'carol', method: 'DELETE' })).status).toBe(403);
  expect((await setup.gateway.rest(`/api/v3/files/${fileId}`, { as: 'bob', method: 'DELETE' })).status).toBe(200);
  expect((await setup.gateway.rest(`/api/v3/files/${fileId}`, { as: 'bob' })).status).toBe(404);
  expect((await setup.files.fetchFile(fileId, 'bob')).status).toBe(404);
  expect(await setup.files.kept()).not.toContain(fileId);
  expect((await mutate('bob', 'updateUser', { avatarFileId: fileId }, 'user { userId }')).code).toBe('NOT_FOUND');
});
