import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';
import { whileLocked } from '../support/while-locked.ts';

let gateway: TestGateway;
let mutate: ReturnType<typeof mutations>;
beforeAll(async () => {
  gateway = await openTestNetwork();
  mutate = mutations(gateway);
});
afterAll(() => gateway.close());

async function read<Data>(as: string, query: string, variables: Record<string, unknown> = {}): Promise<Data> {
  const { data, errors } = await gateway.graphql<Data>(query, { as, variables });
  expect(errors).toBeUndefined();
  return data;
}

test('the tags of a deleted message select it only for moderators', async () => {
  const { channel } = await mutate(
    'kim',
    'createChannel',
    { type: 'COMMUNITY', displayName: 'Tags', isPublic: true },
    'channel { channelId defaultMessageFeed { messageFeedId } }',
  );
  const { channelId, defaultMessageFeed } = channel;
  await mutate('leo', 'joinChannel', { channelId }, '__typename');
  const send = async (text: string) => {
    const input = { messageFeedId: defaultMessageFeed.messageFeedId, data: { text }, tags: ['secret'] };
    const { chatMessage: message } = await mutate('leo', 'sendMessage', input, 'chatMessage { messageId }');
    return message.messageId as string;
  };
  const [deleted, live] = [await send('one'), await send('two')];
  await mutate('leo', 'deleteMessage', { messageId: deleted }, '__typename');
  const ids = async (as: string, filter: string) => {
    const query = `query ($id: String!) { channel(channelId: $id) { messages(first: 9, ${filter}) { edges { node { messageId } } } } }`;
    type Found = { channel: { messages: { edges: Array<{ node: { messageId: string } }> } } };
    const found = await read<Found>(as, query, { id: channelId });
    return found.channel.messages.edges.map(({ node }) => node.messageId).sort();
  };
  const both = [deleted, live].sort();
  expect(await ids('leo', 'tags: ["secret"]')).toEqual([live]);
  expect(await ids('leo', 'tags: ["secret"], isDeleted: true')).toEqual([]);
  expect(await ids('leo', 'excludedTags: ["secret"]')).toEqual([deleted]);
  expect(await ids('leo', 'excludedTags: ["other"]')).toEqual(both);
  expect(await ids('kim', 'tags: ["secret"]')).toEqual(both);
  expect(await ids('kim', 'excludedTags: ["secret"]')).toEqual([]);
});

test('a deleted category is not linked from its communities, except for those who can delete categories', async () => {
  const { category } = await mutate('admin', 'createCategory', { name: 'Hush' }, 'category { categoryId }');
  const { categoryId } = category;
  const { community } = await mutate(
    'kim',
    'createCommunity',
    { displayName: 'Linked', categoryIds: [categoryId] },
    'community { communityId }',
  );
  const linked = async (as: string) => {
    const query = 'query ($id: String!) { community(communityId: $id) { linkedCategories { name } } }';
    type Found = { community: { linkedCategories: Array<{ name: string }> } };
    const found = await read<Found>(as, query, { id: community.communityId });
    return found.community.linkedCategories.map(({ name }) => name);
  };
  expect(await linked('kim')).toEqual(['Hush']);
  await mutate('admin', 'deleteCategory', { categoryId }, '__typename');
  expect(await linked('kim')).toEqual([]);
  expect(await linked('admin')).toEqual(['Hush']);
});

test('a channel that becomes private before a join is written is not joined', async () => {
  const input = { type: 'COMMUNITY', displayName: 'Closing', isPublic: true };
  const { channel } = await mutate('kim', 'createChannel', input, 'channel { channelId }');
  const { channelId } = channel;
  await gateway.tokenOf('mia');
  const [answer] = await whileLocked({
    store: gateway.services.store,
    key: `channel ${gateway.networkId} ${channelId}`,
    start: () => [mutate('mia', 'joinChannel', { channelId }, '__typename')],
    happens: async () => {
      const { channels } = gateway.services.store.collections;
      await channels.updateOne({ networkId: gateway.networkId, channelId }, { $set: { isPublic: false } });
    },
  });
  expect(answer).toMatchObject({ code: 'NOT_FOUND' });
  const { channelUsers } = gateway.services.store.collections;
  expect(await channelUsers.countDocuments({ networkId: gateway.networkId, channelId, userId: 'mia' })).toBe(0);
});
