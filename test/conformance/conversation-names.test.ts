import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { mutate as send } from '../support/mutate.ts';

let gateway: TestGateway;

const mutate = async (as: string, operation: string, input: object, select = '__typename') => {
  const answer = await send(gateway, operation, input, { select, as });
  expect(answer, operation).not.toMatchObject({ __typename: 'OperationError' });
  return answer;
};
const rename = (as: string, displayName: string) => mutate(as, 'updateUser', { displayName });
const open = async (userIds: string[], more: object = {}, as = 'bob') =>
  (await mutate(as, 'createConversation', { userIds, isDistinct: false, ...more }, 'channel { channelId displayName }'))
    .channel as { channelId: string; displayName: string };

/** The name of a channel in every response that contains it. */
async function namesOf(channelId: string, as = 'bob') {
  const { data } = await gateway.graphql<{
    channel: { displayName: string; messageFeeds: { edges: Array<{ node: { name: string } }> } };
  }>(`{ channel(channelId: "${channelId}") { displayName messageFeeds(first: 1) { edges { node { name } } } } }`, {
    as,
  });
  const one = await gateway.rest(`/api/v3/channels/${channelId}`, { as });
  const list = await gateway.rest(`/api/v3/channels/list?channelIds[]=${channelId}`, { as });
  return [
    data.channel.displayName,
    ...data.channel.messageFeeds.edges.map(({ node }) => node.name),
    one.body.channels[0].displayName,
    list.body.channels[0].displayName,
  ];
}
const everywhere = (name: string) => [name, name, name, name];

const search = async (keyword: string, as = 'bob') => {
  const { data } = await gateway.graphql<{ networkChannels: { edges: Array<{ node: { channelId: string } }> } }>(
    'query ($keyword: String) { networkChannels(first: 50, keyword: $keyword) { edges { node { channelId } } } }',
    { as, variables: { keyword } },
  );
  return data.networkChannels.edges.map(({ node }) => node.channelId);
};

beforeAll(async () => {
  gateway = await startTestGateway();
  await rename('bob', 'Bob Hazel');
});
afterAll(() => gateway.close());

test('names a conversation after the current names of its members', async () => {
  await rename('kim', 'Kim Before');
  const { channelId, displayName } = await open(['kim']);
  expect(displayName).toBe('Bob Hazel, Kim Before');
  await rename('kim', 'Kim After');
  expect(await namesOf(channelId)).toEqual(everywhere('Bob Hazel, Kim After'));
  await mutate('bob', 'sendMessage', { channelId, data: { text: 'x' } });
  const { body } = await gateway.rest(`/api/v3/channels/${channelId}`, { as: 'bob' });
  expect(body.messageFeedsInfo).toMatchObject([{ name: 'Bob Hazel, Kim After' }]);
});

test('uses the current name of a member in events', async () => {
  await rename('mia', 'Mia Before');
  const { channelId } = await open(['mia']);
  await rename('mia', 'Mia After');
  await mutate('admin', 'deleteChannel', { channelId });
  const { body } = await gateway.rest('/realtime/channel.deleted', { as: 'bob' });
  expect(body.data.channels).toMatchObject([{ channelId, displayName: 'Bob Hazel, Mia After' }]);
});

test('finds a conversation by the current name of a member, for its members only', async () => {
  await rename('leo', 'Leo Before');
  const { channelId } = await open(['leo']);
  await rename('leo', 'Leo (After)');
  expect(await search('leo (aft')).toEqual([channelId]);
  expect(await search('Leo Before')).toEqual([]);
  expect(await search('leo (aft', 'carol')).toEqual([]);
});

test('searches the derived name as displayed, with commas and truncated to 100 characters', async () => {
  await rename('mia', 'Marigold Sown');
  await rename('kim', `${'Kim '.repeat(20)}Gooseberry`);
  const { channelId, displayName } = await open(['kim', 'mia']);
  expect(displayName).toMatch(/Goose/);
  expect(displayName).toHaveLength(100);
  expect(displayName).not.toContain('Marigold');
  expect(await search('HAZEL, KIM KIM KIM')).toContain(channelId);
  expect(await search(displayName)).toContain(channelId);
  expect(await search('Marigold Sown')).toEqual([]);
});

test.each([
  ['was renamed before', ['Once Known As', 'Later Known As']],
  ['has a name with a comma', ['Doe, John']],
  ['has a name that is cut off', ['Long '.repeat(20).trim()]],
])('removes a deleted user who %s from the name of a conversation', async (title, names) => {
  const as = `gone-${title.length}`;
  await rename(as, names[0]!);
  const conversations = [await open([as]), await open([as, 'carol'])];
  for (const name of names.slice(1)) await rename(as, name);
  await mutate(as, 'deleteUser', {});
  const [two, three] = await Promise.all(conversations.map(({ channelId }) => namesOf(channelId)));
  expect(two).toEqual(everywhere('Bob Hazel, Deleted user'));
  expect(three).toEqual(everywhere('Bob Hazel, Carol Reed, Deleted user'));
});

test('keeps a chosen name, also when it equals the name of a renamed or deleted member', async () => {
  await rename('namesake', 'Garden Club');
  const { channelId } = await open(['namesake'], { displayName: 'Garden Club' });
  const renamed = await open(['namesake']);
  await mutate('bob', 'updateChannel', { channelId: renamed.channelId, displayName: 'Garden Club, Bob Hazel' });
  await rename('namesake', 'Another');
  await mutate('namesake', 'deleteUser', {});
  expect(await namesOf(channelId)).toEqual(everywhere('Garden Club'));
  expect((await namesOf(renamed.channelId))[0]).toBe('Garden Club, Bob Hazel');
});

test('truncates a derived name to 100 characters, between code points', async () => {
  await rename('kim', '𝒦'.repeat(50));
  await rename('mia', '𝓜'.repeat(50));
  const { displayName } = await open(['kim', 'mia'], {}, 'leo');
  expect(displayName.length).toBeLessThanOrEqual(100);
  expect(displayName.isWellFormed()).toBe(true);
});

test('reads the names of all conversations of a page with one additional command', async () => {
  const commandsOf = (field: string) =>
    gateway.commandsOf(() =>
      gateway.graphql(`{ viewerChannels(first: 50) { edges { node { ${field} } } } }`, { as: 'bob' }),
    );
  await commandsOf('channelId');
  const [ids, names] = [await commandsOf('channelId'), await commandsOf('displayName')];
  expect(names.length, names.join(' ')).toBeLessThanOrEqual(ids.length + 1);
});
