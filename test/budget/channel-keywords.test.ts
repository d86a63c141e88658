import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { OPERATION_LIMITS } from '../../src/limits/limits.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { mutate } from '../support/mutate.ts';

const LISTS = 30;
const limits = { ...OPERATION_LIMITS };

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
  for (const userIds of [['bob'], ['carol'], ['bob', 'carol']]) {
    const input = { userIds, isDistinct: false };
    expect(await mutate(gateway, 'createConversation', input, { select: '__typename' })).not.toHaveProperty('code');
  }
});
afterEach(() => void Object.assign(OPERATION_LIMITS, limits));
afterAll(() => gateway.close());

const list = (args: string) => `networkChannels(first: 1${args}) { edges { node { channelId } } }`;
const lists = (argsOf: (index: number) => string) =>
  `{ ${Array.from({ length: LISTS }, (_, index) => `a${index}: ${list(argsOf(index))}`).join(' ')} }`;

async function commandsOf(query: string): Promise<number> {
  await gateway.graphql(query);
  const commands = await gateway.commandsOf(async () => {
    expect((await gateway.graphql(query)).errors).toBeUndefined();
  });
  return commands.length;
}

test('reads the names of conversations once for all lists of a request with different keywords', async () => {
  // The same lists without keywords may be kept in memory, or take five commands.
  expect(await commandsOf(lists(() => ''))).toBeLessThanOrEqual(5);
  // Two for derived names; for all chosen names, one to find the rarest part of each and two to find the channels with it.
  expect(await commandsOf(lists((index) => `, keyword: "none ${index}"`))).toBeLessThanOrEqual(10);
});

test.each([', types: [STANDARD, COMMUNITY]', ', filter: NOT_MEMBER'])(
  'reads no names of conversations for a list without conversations (%s)',
  async (args) => {
    // The index of chosen names takes three of them; names of conversations would take two more.
    expect(await commandsOf(`{ ${list(`${args}, keyword: "none"`)} }`)).toBeLessThanOrEqual(5);
  },
);

test('counts the names that a search reads towards the bytes a request may read', async () => {
  const messagesOf = async (args: string) => {
    const { errors } = await gateway.graphql(`{ ${list(`, keyword: "none"${args}`)} }`);
    return errors?.map(({ message }) => message) ?? [];
  };
  Object.assign(OPERATION_LIMITS, { readBytes: 200 });
  expect(await messagesOf(', filter: NOT_MEMBER')).toEqual([]);
  expect(await messagesOf('')).toEqual([expect.stringContaining('Limit exceeded (readBytes)')]);
});

test('counts a keyword towards the cost limit', async () => {
  const query = `query ($keyword: String) { ${list(', keyword: $keyword')} }`;
  const messagesOf = async (keyword: string | null) => {
    const { errors } = await gateway.graphql(query, { variables: { keyword } });
    return errors?.map(({ message }) => message) ?? [];
  };
  Object.assign(OPERATION_LIMITS, { cost: 90 });
  expect(await messagesOf(null)).toEqual([]);
  expect(await messagesOf('none')).toEqual([expect.stringContaining('Limit exceeded (cost)')]);
  Object.assign(OPERATION_LIMITS, limits);
  expect(await messagesOf('none')).toEqual([]);
});
