import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { UnavailableError } from '../../src/database-errors.ts';
import { emit } from '../support/emit.ts';
import { signIn, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { waitFor } from '../support/live.ts';
import { type MqttClientOptions, type TestMqttClient, useMqttClients } from '../support/mqtt-client.ts';
import { successfulMutations } from '../support/mutate.ts';

let gateway: TestGateway;
/** Parts of topics: internal ids of a public community, a private one and their channels. */
let gardeners: string;
let orchard: string;
let conversation: string;
let gardenersChat: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  const { communities, channels } = gateway.services.store.collections;
  const idOf = (record: { _id: { toHexString(): string } } | null) => record!._id.toHexString();
  gardeners = idOf(await communities.findOne({ networkId: 'default', communityId: 'gardeners' }));
  orchard = idOf(await communities.findOne({ networkId: 'default', communityId: 'orchard-keepers' }));
  conversation = idOf(await channels.findOne({ networkId: 'default', channelId: 'alice-and-bob' }));
  gardenersChat = idOf(await channels.findOne({ networkId: 'default', channelId: 'gardeners-chat' }));
});
afterAll(() => gateway.close());

const mutate = successfulMutations(() => gateway);
const connectTo = useMqttClients();
const connect = (as: string, options?: MqttClientOptions) => connectTo(gateway, as, options);

/** Waits until everything committed so far has been delivered to the client, by an event of its own profile. */
async function settle(client: TestMqttClient, userId: string): Promise<void> {
  const path = `default/user/${client.userInternalId}`;
  expect(await client.subscribe(`user/${client.userInternalId}`)).toEqual([0]);
  await emit(gateway, [{ type: 'user.updated', path, data: { userId } }]);
  await waitFor(() => client.events.some((event) => event.path === path));
  client.events.splice(
    client.events.findIndex((event) => event.path === path),
    1,
  );
}

const sendMessage = (as: string, text: string, channelId = 'alice-and-bob') =>
  mutate(as, 'sendMessage', { channelId, data: { text } }, 'chatMessage { messageId }');
const createPost = async (as: string, targetId = 'gardeners'): Promise<string> =>
  (await mutate(as, 'createPost', { targetType: 'COMMUNITY', targetId, data: { text: 'x' } }, 'post { postId }')).post
    .postId;
const typesOf = ({ events }: TestMqttClient) => events.map(({ eventType }) => eventType);

describe('connecting', () => {
  test('is accepted with an access token, and refused without one, with another, or for another user', async () => {
    const client = await connect('bob');
    expect(client.sessionPresent).toBe(false);
    await expect(connect('bob', { token: 'none' })).rejects.toMatchObject({ code: 4 });
    await expect(connect('bob', { token: await gateway.tokenOf('carol') })).rejects.toMatchObject({ code: 4 });
    await expect(connect('bob', { username: 'x' })).rejects.toMatchObject({ code: 4 });
  });

  test('is refused for a protocol other than MQTT 3.1.1, and for a client identifier that is too long', async () => {
    await expect(connect('bob', { protocolVersion: 5 })).rejects.toMatchObject({ code: 1 });
    await expect(connect('bob', { protocolVersion: 3, protocolId: 'MQIsdp' })).rejects.toBeTruthy();
    await expect(connect('bob', { clientId: 'x'.repeat(257) })).rejects.toMatchObject({ code: 2 });
  });

  test('again with the same client identifier ends the previous connection, but not that of another user', async () => {
    const other = await connect('carol', { clientId: 'shared' });
    const first = await connect('bob', { clientId: 'shared' });
    const second = await connect('bob', { clientId: 'shared' });
    await first.closed;
    expect(second.sessionPresent).toBe(true);
    expect([other.client.connected, second.client.connected]).toEqual([true, true]);
  });
});

describe('subscribing', () => {
  test('is granted for the topics that published clients use, for records that the user sees', async () => {
    const bob = await connect('bob');
    const { userInternalId: me } = bob;
    const [post] = await gateway.services.store.collections.posts
      .find({ networkId: 'default', postId: 'seedlings' })
      .toArray();
    const feed = await gateway.services.store.collections.messageFeeds.findOne({
      networkId: 'default',
      channelId: 'alice-and-bob',
    });
    const topics = [
      '',
      `smartfeed/${me}/channels`,
      `smartfeed/${me}/messagefeeds`,
      `smartfeed/${me}/messages`,
      `user/${me}`,
      `marker/user/${me}`,
      'videostreaming',
      `social/community/${gardeners}`,
      `social/community/${gardeners}/post/+`,
      `social/community/${gardeners}/post/+/comment/+`,
      `social/community/${gardeners}/post/#`,
      `social/user/${me}/post/+`,
      `social/user/${me}/post/#`,
      post!.path.replace('default/', ''),
      `${post!.path.replace('default/', '')}/comment/+`,
      `${post!.path.replace('default/', '')}/liveReaction`,
      'social/community/gardeners/story/#',
      'social/user/alice/story/#',
      `chat/${conversation}/#`,
      `${feed!.path.replace('default/', '')}/#`,
      `membership/${me}/+/+`,
      `membership/+/${me}/+`,
      `marker/channel/${conversation}/message/${feed!.messageFeedId}`,
      `marker/channel/alice-and-bob/message/${feed!.messageFeedId}`,
    ];
    const granted = await bob.subscribe(...topics);
    expect(topics.filter((_, index) => granted[index] !== 0)).toEqual([]);
  });

  test('delivers receipts under the public id of the channel, too', async () => {
    const bob = await connect('bob');
    const feed = await gateway.services.store.collections.messageFeeds.findOne({
      networkId: 'default',
      channelId: 'alice-and-bob',
    });
    const feedId = feed!.messageFeedId;
    const topic = `marker/channel/alice-and-bob/message/${feedId}`;
    expect(await bob.subscribe(topic, `marker/channel/gardeners-chat/message/${feedId}`)).toEqual([0, 128]);
    const { chatMessage } = await mutate(
      'bob',
      'sendMessage',
      { channelId: 'alice-and-bob', data: { text: 'Seen?' } },
      'chatMessage { segment }',
    );
    await mutate('alice', 'markRead', { messageFeedId: feedId, readToSegment: chatMessage.segment });
    await waitFor(() => bob.events.some((event) => event.eventType === 'marker.marked-message'));
    expect(bob.events.map((event) => event.topic)).toContain(`default/${topic}`);
  });

  test('is refused for topics of other users, records that the user does not see, other networks and unknown forms', async () => {
    const bob = await connect('bob');
    const carol = await connect('carol');
    const erin = await connect('erin');
    const refused = [
      `smartfeed/${carol.userInternalId}/messages`,
      `marker/user/${carol.userInternalId}`,
      '#',
      '+/+',
      'user/+',
      'social/#',
      'social/community/+/post/+',
      `social/community/${gardeners}/#`,
      'chat/#',
      'chat/+/#',
      'chat/000000000000000000000000/#',
      `social/community/${orchard}`,
      `social/community/${orchard}/post/#`,
      'social/community/orchard-keepers/story/#',
      'social/user/000000000000000000000000/post/+',
      'room/000000000000000000000000',
      `membership/+/+/+`,
      'x'.repeat(1_000),
    ];
    expect(await bob.subscribe(...refused)).toEqual(refused.map(() => 128));
    expect(await erin.subscribe(`chat/${conversation}/#`)).toEqual([128]);
    expect(
      await new Promise((done) =>
        bob.client.subscribe('other/videostreaming', (_e, _g, packet) => done(packet?.granted)),
      ),
    ).toEqual([128]);
  });
});

describe('delivery', () => {
  test('sends the envelope of the REST interface with QoS 0 under a topic that the client subscribed to', async () => {
    const bob = await connect('bob');
    await bob.subscribe(`social/community/${gardeners}/post/+`);
    const packets: Array<{ qos: number; retain: boolean }> = [];
    bob.client.on('message', (_topic, _payload, { qos, retain }) => packets.push({ qos, retain }));
    const postId = await createPost('alice');
    const [event] = await bob.until(1);
    const path = `default/social/community/${gardeners}/post/${postId}`;
    expect(event).toMatchObject({ topic: path, path, eventType: 'post.created', networkId: 'default', version: '1' });
    expect(event!.data.posts[0].postId).toBe(postId);
    expect(packets).toEqual([{ qos: 0, retain: false }]);
  });

  test('sends an event once, however many topics of the connection match', async () => {
    const bob = await connect('bob');
    const { userInternalId: me } = bob;
    await bob.subscribe(`chat/${conversation}/#`, `smartfeed/${me}/messages`, `smartfeed/${me}/messagefeeds`);
    await sendMessage('alice', 'once');
    await settle(bob, 'bob');
    expect(typesOf(bob).filter((type) => type === 'message.created')).toEqual(['message.created']);
  });

  test('sends messages of channels to the own topic of their members, also of channels created later', async () => {
    const [bob, erin] = [await connect('bob'), await connect('erin')];
    for (const client of [bob, erin]) await client.subscribe(`smartfeed/${client.userInternalId}/messages`);
    await sendMessage('alice', 'known channel');
    const created = await mutate('alice', 'createConversation', { userIds: ['erin'] }, 'channel { channelId }');
    await sendMessage('alice', 'new channel', created.channel.channelId);
    await Promise.all([bob.until(1), erin.until(1)]);
    await Promise.all([settle(bob, 'bob'), settle(erin, 'erin')]);
    expect(bob.events.map(({ data }) => data.messages[0].data.text)).toEqual(['known channel']);
    expect(erin.events.map(({ data }) => data.messages[0].data.text)).toEqual(['new channel']);
    expect(bob.events[0]!.topic).toBe(`default/smartfeed/${bob.userInternalId}/messages`);
  });

  test('ends for a topic when the user loses access to its record, without a new SUBSCRIBE', async () => {
    const grace = await connect('grace');
    expect(await grace.subscribe(`social/community/${orchard}`, `social/community/${orchard}/post/#`)).toEqual([0, 0]);
    const before = await createPost('frank', 'orchard-keepers');
    await grace.until(1);
    await mutate('frank', 'removeCommunityMembers', { communityId: 'orchard-keepers', userIds: ['grace'] });
    const after = await createPost('frank', 'orchard-keepers');
    await settle(grace, 'grace');
    const text = JSON.stringify(grace.events);
    expect([text.includes(before), text.includes(after)]).toEqual([true, false]);
    await mutate('frank', 'addCommunityMembers', { communityId: 'orchard-keepers', userIds: ['grace'] });
  });

  test('ends for a topic that the client unsubscribed from', async () => {
    const bob = await connect('bob');
    await bob.subscribe(`chat/${conversation}/#`);
    await bob.client.unsubscribeAsync(`default/chat/${conversation}/#`);
    await sendMessage('alice', 'unheard');
    await settle(bob, 'bob');
    expect(bob.events).toEqual([]);
  });

  test('keeps the order of the log across topics', async () => {
    const bob = await connect('bob');
    const { userInternalId: me } = bob;
    await bob.subscribe(`social/community/${gardeners}/post/#`, `smartfeed/${me}/messages`);
    const sent: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      sent.push(await createPost('alice'));
      sent.push((await sendMessage('alice', 'x')).chatMessage.messageId);
    }
    await bob.until(10);
    const received = bob.events.map(({ data }) => data.posts?.[0].postId ?? data.messages[0].messageId);
    expect(received).toEqual(sent);
  });

  test('renders an event once for all connections with equal rights, whatever their topics', async () => {
    const users = ['bob', 'carol', 'heidi'];
    const clients = await Promise.all(Array.from({ length: 30 }, (_, index) => connect(users[index % users.length]!)));
    const topics = [`chat/${gardenersChat}/#`, 'smartfeed/me/messages'];
    for (const [index, client] of clients.entries()) {
      const topic = topics[index % topics.length]!.replace('me', client.userInternalId);
      expect(await client.subscribe(topic)).toEqual([0]);
    }
    const path = `default/chat/${gardenersChat}`;
    const runs = vi.spyOn(gateway.executor, 'run');
    onTestFinished(() => runs.mockRestore());
    const { chatMessage } = await sendMessage('alice', 'shared', 'gardeners-chat');
    const heard = ({ events }: TestMqttClient) =>
      events.filter(({ data }) => data.messages?.[0].messageId === chatMessage.messageId).length;
    await waitFor(() => clients.every((client) => heard(client) > 0));
    expect(clients.map(heard)).toEqual(clients.map(() => 1));
    const rendered = runs.mock.calls.filter(([, { root }]) => {
      const { live } = (root ?? {}) as { live?: { event: { type: string; path: string } } };
      return live?.event.type === 'message.created' && live.event.path.startsWith(path);
    });
    expect(rendered).toHaveLength(1);
  });

  test('continues for a channel whose members could not be read before all clients disconnected', async () => {
    const bob = await connect('bob');
    const topic = `smartfeed/${bob.userInternalId}/messages`;
    expect(await bob.subscribe(topic)).toEqual([0]);
    const { channels } = gateway.services.store.batchers;
    const loads = vi.spyOn(channels, 'loadMany').mockImplementation(async () => {
      throw new UnavailableError('slow');
    });
    onTestFinished(() => loads.mockRestore());
    const path = `default/chat/${conversation}`;
    await emit(gateway, [{ type: 'channel.created', path, data: { channelId: 'alice-and-bob' } }]);
    await waitFor(() => loads.mock.calls.length > 0);
    await bob.close();
    await waitFor(() => gateway.server.websocketServer.clients.size === 0);
    loads.mockRestore();
    const again = await connect('bob');
    expect(await again.subscribe(topic)).toEqual([0]);
    await sendMessage('alice', 'after the outage');
    await again.until(1);
    expect(again.events.map(({ data }) => data.messages[0].data.text)).toEqual(['after the outage']);
  });

  test('reads no membership again because its user sent or read a message', async () => {
    const clients = await Promise.all(['bob', 'carol'].map((as) => connect(as)));
    for (const client of clients) {
      expect(await client.subscribe(`smartfeed/${client.userInternalId}/messages`)).toEqual([0]);
    }
    const heard = async (text: string) => {
      await waitFor(() =>
        clients.every(({ events }) => events.some(({ data }) => data.messages?.[0].data.text === text)),
      );
    };
    await sendMessage('alice', 'first', 'gardeners-chat');
    await heard('first');
    const feed = { messageFeedId: gardenersChat };
    await mutate('carol', 'markRead', { ...feed, readToSegment: 1_000 });
    await sendMessage('bob', 'second', 'gardeners-chat');
    await heard('second');
    const loads = vi.spyOn(gateway.services.store.batchers.channelUsers, 'loadMany');
    onTestFinished(() => loads.mockRestore());
    await sendMessage('alice', 'third', 'gardeners-chat');
    await heard('third');
    const userIds = loads.mock.calls.flatMap(([, pairs]) => pairs.map(([, userId]) => userId));
    expect(userIds.filter((userId) => userId === 'bob' || userId === 'carol')).toEqual([]);
  });
});

describe('the end of a session', () => {
  test('closes the connection at a logout', async () => {
    const token = await signIn(gateway, 'mia');
    const mia = await connect('mia', { token });
    await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: 'mutation { revokeSession(input: {}) { __typename } }' }),
    });
    await mia.closed;
    await expect(connect('mia', { token })).rejects.toMatchObject({ code: 4 });
  });

  test('sends user.didGlobalBan to a banned user before it closes, and refuses them afterwards', async () => {
    const token = await signIn(gateway, 'banned-user');
    const user = await connect('banned-user', { token });
    await mutate('admin', 'banUser', { userId: 'banned-user' });
    await user.closed;
    expect(typesOf(user)).toEqual(['user.didGlobalBan']);
    expect(user.events[0]!.data.users[0].userId).toBe('banned-user');
    await expect(connect('banned-user', { token })).rejects.toMatchObject({ code: 5 });
  });

  test('sends user.deleted to a user who deleted their account, and to others who listen to the network', async () => {
    const token = await signIn(gateway, 'leaving-user');
    const user = await connect('leaving-user', { token });
    const bob = await connect('bob');
    await bob.subscribe('');
    await mutate('admin', 'deleteUser', { userId: 'leaving-user' });
    await user.closed;
    expect(typesOf(user)).toEqual(['user.deleted']);
    await bob.until(1);
    expect(typesOf(bob)).toEqual(['user.deleted']);
  });
});
