import { beforeAll, describe, expect, test } from 'vitest';
import type { NewEvent } from '../../src/events/append-events.ts';
import { emit } from '../support/emit.ts';
import { waitFor } from '../support/live.ts';
import { mqttClient } from '../support/mqtt-client.ts';
import { type EventAt, overEveryTransport, postEvent, reactionEvent, useRights } from './rights-fixtures.ts';

/** Events about the feeds of users in a network with private profiles. */
const rights = useRights();
const { mutate, subscribe, createUser, createPost, createComment } = rights;

beforeAll(() => mutate('admin', 'updateSocialSettings', { userPrivacySetting: 'PRIVATE' }));

/** `follower` follows `owner`. */
async function createFollower(owner: string): Promise<string> {
  const follower = await createUser();
  await mutate(follower, 'followUser', { userId: owner });
  await mutate(owner, 'acceptFollower', { userId: follower });
  return follower;
}

async function createStory(by: string): Promise<string> {
  const story = { targetType: 'USER', targetId: by, dataType: 'TEXT', data: { text: 'x' } };
  return (await mutate(by, 'createStory', story, 'story { storyId }')).story.storyId;
}

type Subject = (owner: string) => Promise<EventAt>;

const at =
  (type: NewEvent['type'], data: object): EventAt =>
  (path) =>
    ({ type, path: `default/${path}`, data }) as NewEvent;

const SUBJECTS: Array<[name: string, type: NewEvent['type'], create: Subject]> = [
  ['a post', 'post.updated', async (owner) => postEvent(await createPost(owner, null))],
  ['a reaction to a post', 'post.addReaction', async (owner) => reactionEvent(await createPost(owner, null))],
  [
    'a comment on a post',
    'comment.updated',
    async (owner) => at('comment.updated', { commentId: await createComment(owner, await createPost(owner, null)) }),
  ],
  ['a story', 'story.updated', async (owner) => at('story.updated', { storyId: await createStory(owner) })],
];

describe.each(SUBJECTS)('in a network with private profiles, %s', (_, type, create) => {
  test('is delivered to the owner of the feed and to followers, and not to others', async () => {
    const [owner, stranger] = [await createUser(), await createUser()];
    const follower = await createFollower(owner);
    await mutate(stranger, 'followUser', { userId: owner });
    const [hidden, visible] = [await create(owner), await create(stranger)];
    const watchers = await Promise.all([owner, follower, stranger].map((userId) => subscribe(userId, type)));
    await emit(rights.gateway, [hidden('a'), visible('b')]);
    await watchers[0]!.until('a');
    await watchers[1]!.until('a');
    await watchers[2]!.until('b');
    expect(watchers.map((watcher) => watcher.paths())).toEqual([
      overEveryTransport(['a']),
      overEveryTransport(['a']),
      overEveryTransport(['b']),
    ]);
  });
});

const ENDS: Array<[name: string, act: (users: { owner: string; follower: string }) => Promise<unknown>]> = [
  ['unfollowing', ({ owner, follower }) => mutate(follower, 'unfollowUser', { userId: owner })],
  ['being removed as a follower', ({ owner, follower }) => mutate(owner, 'removeFollower', { userId: follower })],
  ['being blocked', ({ owner, follower }) => mutate(owner, 'blockUser', { userId: follower })],
];

test.each(ENDS)('%s ends the delivery of events of the feed', async (_, act) => {
  const owner = await createUser();
  const follower = await createFollower(owner);
  const [hidden, visible] = [postEvent(await createPost(owner, null)), postEvent(await createPost(follower, null))];
  const watcher = await subscribe(follower, 'post.updated');
  await emit(rights.gateway, [hidden('before')]);
  await watcher.until('before');
  await act({ owner, follower });
  await emit(rights.gateway, [hidden('after'), visible('end')]);
  await watcher.until('end');
  expect(watcher.paths()).toEqual(overEveryTransport(['before', 'end']));
});

test('an MQTT subscription to the posts of a user delivers them to followers only', async () => {
  const [owner, stranger] = [await createUser(), await createUser()];
  const follower = await createFollower(owner);
  const { users, posts } = rights.gateway.services.store.collections;
  const feedOf = async (userId: string) =>
    `social/user/${(await users.findOne({ networkId: 'default', userId }))!._id.toHexString()}/post/+`;
  const clients = await Promise.all([follower, stranger].map((userId) => mqttClient(rights.gateway, userId)));
  for (const [index, client] of clients.entries())
    await client.subscribe(await feedOf(owner), await feedOf([follower, stranger][index]!));
  const pathOf = async (postId: string) => (await posts.findOne({ networkId: 'default', postId }))!.path;
  const hidden = await pathOf(await createPost(owner, null));
  const own = await Promise.all([follower, stranger].map(async (userId) => pathOf(await createPost(userId, null))));
  for (const [index, client] of clients.entries())
    await waitFor(() => client.events.some(({ path }) => path === own[index]));
  const [ofFollower, ofStranger] = clients.map(({ events }) => events.map(({ path }) => path));
  expect(ofFollower).toContain(hidden);
  expect(ofStranger).not.toContain(hidden);
  for (const client of clients) await client.close();
});

test('a webhook about a mention names only users who may read the post', async () => {
  const [owner, stranger] = [await createUser(), await createUser()];
  const follower = await createFollower(owner);
  const { eventCursor } = (await rights.gateway.graphql<{ eventCursor: string }>('{ eventCursor }')).data;
  const text = `@${follower} @${stranger}`;
  const mentionees = [{ type: 'USER', userIds: [follower, stranger] }];
  const post = { targetType: 'USER', targetId: owner, data: { text }, mentionees };
  await mutate(owner, 'createPost', post, 'post { postId }');
  const { body } = await rights.gateway.rest(
    `/webhook/push-notification/mention-post.created?wait=20&after=${eventCursor}`,
    { as: null, headers: { 'x-server-key': rights.gateway.keys.SERVER_KEY } },
  );
  expect(body.data.targetIds).toEqual([follower]);
});
