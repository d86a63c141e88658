import { describe, expect, test } from 'vitest';
import type { NewEvent } from '../../src/events/append-events.ts';
import { emit } from '../support/emit.ts';
import { waitFor } from '../support/live.ts';
import { type TestMqttClient, useMqttClients } from '../support/mqtt-client.ts';
import { accessLosses } from './access-losses.ts';
import { type EventAt, useRights } from './rights-fixtures.ts';

const rights = useRights();
const { mutate, createUser, createCommunity, createPost } = rights;

const connectTo = useMqttClients();
const connect = (as: string) => connectTo(rights.gateway, as);

async function internalIdOf(collection: 'users' | 'communities', filter: object): Promise<string> {
  const records = rights.gateway.services.store.collections[collection];
  const record = await records.findOne({ networkId: 'default', ...filter } as never);
  return record!._id.toHexString();
}
const topicOfPosts = async (userId: string) => `social/user/${await internalIdOf('users', { userId })}/post`;

/** The channel of a message event. */
async function channelPathOf(eventAt: EventAt): Promise<string | null> {
  const { messageId } = eventAt('').data as { messageId?: string };
  if (messageId === undefined) return null;
  const { messages } = rights.gateway.services.store.collections;
  const message = await messages.findOne({ networkId: 'default', messageId });
  return `chat/${message!.channelInternalId}`;
}

/** Subscribes to topics that deliver the event to every user, whatever they may see. */
async function listen(as: string, event: EventAt): Promise<TestMqttClient> {
  const client = await connect(as);
  const topics = [
    `${await topicOfPosts('alice')}/#`,
    `social/community/${await internalIdOf('communities', { communityId: 'gardeners' })}`,
    `smartfeed/${client.userInternalId}/messages`,
    `smartfeed/${client.userInternalId}/messagefeeds`,
  ];
  const channel = await channelPathOf(event);
  if (channel) topics.push(`${channel}/#`);
  expect(await client.subscribe(...topics)).toEqual(topics.map(() => 0));
  return client;
}

/** Emits an event on a path that the topics of {@link listen} match. @returns its id */
async function emitAt(eventAt: EventAt): Promise<string> {
  const { type } = eventAt('');
  const [subject] = type.split('.');
  const posts = await topicOfPosts('alice');
  const paths: { [subject: string]: string } = {
    post: `${posts}/one`,
    poll: `${posts}/one`,
    comment: `${posts}/one/comment/one`,
    community: `social/community/${await internalIdOf('communities', { communityId: 'gardeners' })}`,
  };
  await emit(rights.gateway, [eventAt(paths[subject!] ?? (await channelPathOf(eventAt)) ?? 'chat/one') as NewEvent]);
  const { events } = rights.gateway.services.store.collections;
  const [last] = await events.find({ networkId: 'default' }).sort({ _id: -1 }).limit(1).toArray();
  return last!.eventId;
}

const idsOf = ({ events }: TestMqttClient) => events.map(({ id }) => id);

describe('delivers no further event to a topic after', () => {
  test.each(accessLosses(rights))('%s', async (_, prepare) => {
    const { loser, keeper, event, visibleEvent, act } = await prepare();
    const losing = await listen(loser, event);
    const keeping = keeper === null ? null : await listen(keeper, event);
    const before = await emitAt(event);
    await waitFor(() => idsOf(losing).includes(before));
    await act();
    const after = await emitAt(event);
    const end = await emitAt(visibleEvent);
    await waitFor(() => idsOf(losing).includes(end));
    const marks = (client: TestMqttClient) => idsOf(client).filter((id) => [before, after, end].includes(id));
    expect(marks(losing)).toEqual([before, end]);
    if (keeping === null) return;
    await waitFor(() => idsOf(keeping).includes(end));
    expect(marks(keeping)).toEqual([before, after, end]);
  });
});

describe('refuses topics of records that the user', () => {
  test('no longer sees as a former member of a private community', async () => {
    const [owner, member] = [await createUser(), await createUser()];
    const communityId = await createCommunity(owner, [member]);
    const postId = await createPost(owner, communityId);
    const path = `social/community/${await internalIdOf('communities', { communityId })}`;
    const chat = await rights.channelOf(communityId);
    const { channels } = rights.gateway.services.store.collections;
    const channel = await channels.findOne({ networkId: 'default', channelId: chat });
    const topics = [
      `${path}/post/+`,
      `${path}/post/#`,
      `${path}/post/+/comment/+`,
      `${path}/post/${postId}`,
      `${path}/post/${postId}/comment/+`,
      `${path}/post/${postId}/liveReaction`,
      `social/community/${communityId}/story/#`,
      `${channel!.path.replace('default/', '')}/#`,
    ];
    const client = await connect(member);
    expect(await client.subscribe(...topics)).toEqual(topics.map(() => 0));
    await mutate(member, 'leaveCommunity', { communityId });
    expect(await client.subscribe(...topics)).toEqual(topics.map(() => 128));
  });

  test('does not see in a network with private profiles, until their follow is accepted', async () => {
    const [reader, owner] = [await createUser(), await createUser()];
    const posts = await topicOfPosts(owner);
    const topics = [`${posts}/+`, `${posts}/#`, `${posts}/+/comment/+`, `social/user/${owner}/story/#`];
    const client = await connect(reader);
    const earlier = await connect(reader);
    expect(await earlier.subscribe(...topics)).toEqual(topics.map(() => 0));
    await mutate('admin', 'updateSocialSettings', { userPrivacySetting: 'PRIVATE' });
    try {
      expect(await client.subscribe(...topics)).toEqual(topics.map(() => 128));
      const hidden = await createPost(owner, null);
      await mutate(reader, 'followUser', { userId: owner });
      expect(await client.subscribe(...topics)).toEqual(topics.map(() => 128));
      await mutate(owner, 'acceptFollower', { userId: reader });
      expect(await client.subscribe(...topics)).toEqual(topics.map(() => 0));
      const shown = await createPost(owner, null);
      for (const { events } of [client, earlier]) {
        await waitFor(() => events.some(({ path }) => path.endsWith(`/${shown}`)));
        expect(events.filter(({ path }) => path.endsWith(`/${hidden}`))).toEqual([]);
      }
    } finally {
      await mutate('admin', 'updateSocialSettings', { userPrivacySetting: 'PUBLIC' });
    }
  });
});
