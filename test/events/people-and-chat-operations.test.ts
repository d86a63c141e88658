import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EventName } from '../../src/events/catalogue.ts';
import type { EventRecord } from '../../src/store/records/event.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { PEOPLE_AND_CHAT_ROWS } from './rows/people-and-chat.ts';
import { userOf } from './rows/people-made.ts';
import { neverCaused, runRow } from './run-row.ts';
import { toldAsDocumented } from './told-as-documented.ts';

let gateway: TestGateway;
beforeAll(async () => {
  // The log that refuses is an unexpected failure, once a row.
  gateway = await startTestGateway({ LOG_LEVEL: 'fatal' });
});
afterAll(() => gateway.close());

describe('operations of people and chat append exactly what they did', () => {
  test.each(PEOPLE_AND_CHAT_ROWS.map((row) => [`${row.operation}: ${row.situation}`, row] as const))('%s', (_, row) =>
    runRow(gateway, row),
  );

  test('and nothing else than the table of causes says', () => {
    // By the server key, as asked below.
    expect(neverCaused(PEOPLE_AND_CHAT_ROWS)).toEqual(['assignNetworkRoles user.updated']);
  });

  test('each event is told as the documents of the interface say', async () => {
    const caused = await gateway.services.store.collections.events.distinct('type', { networkId: 'default' });
    expect(await toldAsDocumented(gateway, caused as EventName[])).toEqual([]);
  });
});

describe('operations that need a key of the network', () => {
  test('the first sign-in of a user makes their account, the second does not; nobody is named as the actor', async () => {
    const signIn = (deviceId: string) =>
      withKey('x-api-key', gateway.keys.API_KEY, 'createSession', { userId: 'newcomer', deviceId });
    const first = await appendedBy(() => signIn('one'));
    const { path } = await userOf(gateway, 'newcomer');
    const data = { userId: 'newcomer' };
    expect(first).toEqual([expect.objectContaining({ type: 'user.created', path, data, actorId: null })]);
    expect(await appendedBy(() => signIn('two'))).toEqual([]);
    expect(await appendedBy(() => gateway.graphql('mutation { revokeSession(input: {}) { __typename } }'))).toEqual([]);
  });

  test('a sign-in that is refused appends nothing', async () => {
    const appended = await appendedBy(async () => {
      const { createSession } = await withKey('x-api-key', gateway.keys.API_KEY, 'createSession', {
        userId: 'mallory',
        deviceId: 'one',
      });
      expect(createSession).toMatchObject({ code: 'GLOBALLY_BANNED' });
    });
    expect(appended).toEqual([]);
  });

  test('roles that the server key gives change the user; a minted token and roles once more do not', async () => {
    const withServerKey = (operation: string, input: object) => () =>
      withKey('x-server-key', gateway.keys.SERVER_KEY, operation, input);
    const give = withServerKey('assignNetworkRoles', { userId: 'leo', roleIds: ['seed-librarian'] });
    const { path } = await userOf(gateway, 'leo');
    const data = { userId: 'leo' };
    expect(await appendedBy(give)).toEqual([
      expect.objectContaining({ type: 'user.updated', path, data, actorId: null }),
    ]);
    expect(await appendedBy(give)).toEqual([]);
    expect(await appendedBy(withServerKey('mintAuthToken', { userId: 'leo' }))).toEqual([]);
  });
});

/** A mutation by the holder of a key, who is no user. */
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
