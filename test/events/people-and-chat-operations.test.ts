import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EventName } from '../../src/events/catalogue.ts';
import type { EventRecord } from '../../src/store/records/event.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { PEOPLE_AND_CHAT_CASES } from './cases/people-and-chat.ts';
import { userOf } from './cases/people-fixtures.ts';
import { neverCaused, runCase } from './run-case.ts';
import { undeliveredWebhooks } from './undelivered-webhooks.ts';

let gateway: TestGateway;
beforeAll(async () => {
  // Each case makes one write to the event log fail, which would be logged as an error.
  gateway = await startTestGateway({ LOG_LEVEL: 'fatal' });
});
afterAll(() => gateway.close());

describe('operations on people and chat append exactly the events of their change', () => {
  test.each(
    PEOPLE_AND_CHAT_CASES.map((eventCase) => [`${eventCase.operation}: ${eventCase.situation}`, eventCase] as const),
  )('%s', (_, eventCase) => runCase(gateway, eventCase));

  test('every mutation causes the events that it declares', () => {
    // Only the server key may assign roles: tested below.
    expect(neverCaused(PEOPLE_AND_CHAT_CASES)).toEqual(['assignNetworkRoles user.updated']);
  });

  test('each event matches the OpenAPI and AsyncAPI documents', async () => {
    const caused = await gateway.services.store.collections.events.distinct('type', { networkId: 'default' });
    expect(await undeliveredWebhooks(gateway, caused as EventName[])).toEqual([]);
  });
});

describe('operations that need a key of the network', () => {
  test('the first sign-in creates the user and appends an event without an actor; the second appends none', async () => {
    const signIn = (deviceId: string) =>
      withKey('x-api-key', gateway.keys.API_KEY, 'createSession', { userId: 'newcomer', deviceId });
    const first = await appendedBy(() => signIn('one'));
    const { path } = await userOf(gateway, 'newcomer');
    const data = { userId: 'newcomer' };
    expect(first).toEqual([expect.objectContaining({ type: 'user.created', path, data, actorId: null })]);
    expect(await appendedBy(() => signIn('two'))).toEqual([]);
    expect(await appendedBy(() => gateway.graphql('mutation { revokeSession(input: {}) { __typename } }'))).toEqual([]);
  });

  test('a rejected sign-in appends nothing', async () => {
    const appended = await appendedBy(async () => {
      const { createSession } = await withKey('x-api-key', gateway.keys.API_KEY, 'createSession', {
        userId: 'mallory',
        deviceId: 'one',
      });
      expect(createSession).toMatchObject({ code: 'GLOBALLY_BANNED' });
    });
    expect(appended).toEqual([]);
  });

  test('assigning new roles appends user.updated; assigning them again or minting a token appends nothing', async () => {
    const withServerKey = (operation: string, input: object) => () =>
      withKey('x-server-key', gateway.keys.SERVER_KEY, operation, input);
    const assign = withServerKey('assignNetworkRoles', { userId: 'leo', roleIds: ['seed-librarian'] });
    const { path } = await userOf(gateway, 'leo');
    const data = { userId: 'leo' };
    expect(await appendedBy(assign)).toEqual([
      expect.objectContaining({ type: 'user.updated', path, data, actorId: null }),
    ]);
    expect(await appendedBy(assign)).toEqual([]);
    expect(await appendedBy(withServerKey('mintAuthToken', { userId: 'leo' }))).toEqual([]);
  });
});

/** A mutation sent with a key of the network instead of a user token. */
async function withKey(header: string, key: string, operation: string, input: object) {
  const type = `${operation.charAt(0).toUpperCase()}${operation.slice(1)}Input`;
  const query = `mutation ($input: ${type}!) { ${operation}(input: $input) { __typename ... on OperationError { code } } }`;
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [header]: key },
    body: JSON.stringify({ query, variables: { input } }),
  });
  const { data, errors } = (await response.json()) as { data: { [name: string]: unknown }; errors?: unknown };
  expect(errors).toBeUndefined();
  return data;
}

async function appendedBy(work: () => Promise<unknown>): Promise<EventRecord[]> {
  const { events } = gateway.services.store.collections;
  const before = new Set((await events.find({}).toArray()).map(({ eventId }) => eventId));
  await work();
  const after = await events.find({}).sort({ _id: 1 }).toArray();
  return after.filter(({ eventId }) => !before.has(eventId));
}
