import type { CommandStartedEvent } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_SEARCHED_CHANNELS } from '../../src/domain/search/search-messages.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

test('a search of messages reads no more memberships of the viewer than the channels that it searches, once', async () => {
  const limits: unknown[] = [];
  const note = ({ command }: CommandStartedEvent) => {
    if (command.find === 'channelUsers' && command.sort?.has('lastActivity')) limits.push(command.limit);
  };
  const { client } = gateway.services.store;
  client.on('commandStarted', note);
  const page = (query: string) => `search(query: "${query}") { messages(first: 5) { edges { cursor } } }`;
  const { errors } = await gateway.graphql(`{ a: ${page('water')} b: ${page('seed')} }`);
  client.off('commandStarted', note);
  expect(errors).toBeUndefined();
  expect(limits).toEqual([MAX_SEARCHED_CHANNELS]);
});
