import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectConsistent } from '../support/consistency.ts';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { ask, mutate } from '../support/mutate.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestNetwork();
});
afterAll(async () => {
  await expectConsistent(gateway);
  await gateway.close();
});

const GARDENERS = { targetType: 'COMMUNITY', targetId: 'gardeners' };
const post = (input: object, select = 'post { postId }', as = 'bob') =>
  mutate(gateway, 'createPost', { ...GARDENERS, ...input }, { select, as });

test('attachments become child posts, and are replaced as a whole', async () => {
  const select =
    'post { postId structureType childrenNumber childPosts { postId dataType data { fileId videoFileId { original } } } }';
  const files = [
    { type: 'IMAGE', fileId: 'tomatoes-red' },
    { type: 'IMAGE', fileId: 'tomatoes-yellow' },
  ];
  const { post: created } = await post({ attachments: files }, select);
  expect([created.structureType, created.childrenNumber]).toEqual(['IMAGE', 2]);
  expect(created.childPosts.map((child: { data: { fileId: string } }) => child.data.fileId)).toEqual([
    'tomatoes-red',
    'tomatoes-yellow',
  ]);
  const update = (attachments: object[]) =>
    mutate(gateway, 'updatePost', { postId: created.postId, attachments }, { select, as: 'bob' });
  const { post: one } = await update([files[1]!, { type: 'FILE', fileId: 'tomatoes-red' }]);
  expect([one.structureType, one.childrenNumber, one.childPosts[0].postId]).toEqual([
    'MIXED',
    2,
    created.childPosts[1].postId,
  ]);
  expect((await update([])).post).toMatchObject({ structureType: 'TEXT', childrenNumber: 0, childPosts: [] });
  const child = await ask(gateway, `{ post(postId: "${created.childPosts[0].postId}") { postId } }`, { as: 'bob' });
  expect(child.post).toBeNull();
});

test('deletes a single child post', async () => {
  const select = 'post { postId childIds childrenNumber }';
  const { post: created } = await post({ attachments: [{ type: 'IMAGE', fileId: 'tomatoes-red' }] }, select);
  const deleted = await mutate(
    gateway,
    'deletePost',
    { postId: created.childIds[0] },
    { select: 'post { isDeleted }', as: 'bob' },
  );
  expect(deleted.post.isDeleted).toBe(true);
  const { post: left } = await ask(gateway, `{ post(postId: "${created.postId}") { childIds childrenNumber } }`, {
    as: 'bob',
  });
  expect(left).toEqual({ childIds: [], childrenNumber: 0 });
});

test('polls, streams and rooms are attached as child posts by their creators', async () => {
  const select = 'post { dataType childPosts { dataType data { pollId streamId roomId } poll { pollId } } }';
  const { post: poll } = await post(
    { dataType: 'poll', data: { text: 'Vote', pollId: 'shared-bed' } },
    select,
    'alice',
  );
  expect(poll).toMatchObject({ dataType: 'text', childPosts: [{ dataType: 'poll', poll: { pollId: 'shared-bed' } }] });
  expect(await post({ dataType: 'poll', data: { pollId: 'shared-bed' } }, select, 'bob')).toMatchObject({
    code: 'NOT_FOUND',
  });
  expect(await post({ dataType: 'poll', data: { text: 'x' } }, select)).toMatchObject({
    code: 'INVALID_PARAMETERS',
    path: ['data', 'pollId'],
  });
  const { videoStreams, rooms } = gateway.services.store.collections;
  const { videoStream } = await mutate(
    gateway,
    'createVideoStream',
    { title: 'Live' },
    { select: 'videoStream { streamId }' },
  );
  const show = { dataType: 'liveStream', data: { streamId: videoStream.streamId } };
  const { post: live } = await post(show, `${select.slice(0, -1)} childIds }`, 'alice');
  expect(live.childPosts[0].data.streamId).toBe(videoStream.streamId);
  expect((await videoStreams.findOne({ networkId: gateway.networkId, ...show.data }))!.postId).toBe(live.childIds[0]);
  // A stream belongs to one post.
  expect(await post(show, select, 'alice')).toMatchObject({ code: 'NOT_FOUND' });
  const { room } = await mutate(
    gateway,
    'createRoom',
    { title: 'Room', targetType: 'COMMUNITY', targetId: 'gardeners' },
    { select: 'room { roomId }' },
  );
  const { post: potting } = await post(
    { dataType: 'room', data: { roomId: room.roomId } },
    `${select.slice(0, -1)} postId childIds }`,
    'alice',
  );
  expect((await rooms.findOne({ networkId: gateway.networkId, roomId: room.roomId }))!.referenceId).toBe(
    potting.childIds[0],
  );
});
