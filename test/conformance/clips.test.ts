import { expect, test } from 'vitest';
import { useFileRequests } from '../support/file-requests.ts';
import { PNG } from '../support/png.ts';

const setup = useFileRequests();

test('stores videos that are uploaded as clips as such, and posts show them', async () => {
  const mp4 = Buffer.concat([Buffer.from('0000001866747970', 'hex'), Buffer.from('isom\0\0\x02\0isommp41')]);
  expect((await setup.files.upload('/api/v4/clips', [['files', PNG, 'film.mp4', 'video/mp4']])).status).toBe(415);
  const { status, body } = await setup.files.upload('/api/v4/clips', [
    ['files', mp4, 'film.mp4', 'video/mp4'],
    ['feedType', 'clip'],
  ]);
  expect([status, body]).toMatchObject([200, [{ type: 'clip', attributes: { mimeType: 'video/mp4' } }]]);
  const { fileId } = body[0];
  const attachments = [{ type: 'clip', fileId, displayMode: 'fit', isMuted: true }];
  const post = { targetType: 'user', targetId: 'alice', data: { text: 'Look' }, attachments };
  const posted = (await setup.gateway.rest('/api/v4/posts', { method: 'POST', body: post })).body;
  expect(posted.posts[0].structureType).toBe('clip');
  expect(posted.postChildren).toMatchObject([
    {
      dataType: 'clip',
      structureType: 'clip',
      data: { fileId, thumbnailFileId: null, displayMode: 'fit', isMuted: true },
    },
  ]);
  expect(posted.files).toContainEqual(expect.objectContaining({ fileId, type: 'clip' }));
  const wrong = [{ type: 'image', fileId }];
  const refused = await setup.gateway.rest('/api/v4/posts', { method: 'POST', body: { ...post, attachments: wrong } });
  expect(refused.status).toBe(422);
});

test('an edit changes the options and the thumbnail of a clip, and keeps its child post', async () => {
  const mp4 = Buffer.concat([Buffer.from('0000001866747970', 'hex'), Buffer.from('isom\0\0\x02\0isommp41')]);
  const clip = (await setup.files.upload('/api/v4/clips', [['files', mp4, 'film.mp4', 'video/mp4']])).body[0].fileId;
  const picture = (await setup.files.upload('/api/v4/images', [['files', PNG, 'one.png', 'image/png']])).body[0].fileId;
  const attach = (options: object) => [{ type: 'clip', fileId: clip, ...options }];
  const post = { targetType: 'user', targetId: 'alice', attachments: attach({ displayMode: 'fit', isMuted: true }) };
  const created = (await setup.gateway.rest('/api/v4/posts', { method: 'POST', body: post })).body;
  const [{ postId: childId }] = created.postChildren;
  const { postId } = created.posts[0];
  const edit = async (options: object) => {
    const body = { attachments: attach(options) };
    const edited = await setup.gateway.rest(`/api/v4/posts/${postId}`, { method: 'PUT', body });
    expect(edited.body.postChildren).toMatchObject([{ postId: childId }]);
    return (await setup.gateway.rest(`/api/v3/posts/${childId}`)).body.posts[0].data;
  };
  const shown = { fileId: clip, displayMode: 'fit', isMuted: true, thumbnailFileId: null };
  expect(await edit({})).toMatchObject(shown);
  expect(await edit({ isMuted: false })).toMatchObject({ ...shown, isMuted: false });
  expect(await edit({ thumbnailFileId: picture, displayMode: 'fill' })).toMatchObject({
    fileId: clip,
    displayMode: 'fill',
    isMuted: false,
    thumbnailFileId: picture,
  });
  expect(await edit({ thumbnailFileId: null })).toMatchObject({ thumbnailFileId: null });
});
