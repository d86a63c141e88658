import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../rest-compat/routes.ts';
import { routeName, type SampleCall } from '../support/calls.ts';
import { findInconsistencies } from '../support/consistency.ts';
import { withFullPayload } from '../support/full-selection.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { PEOPLE_OPERATIONS } from '../support/operations/people.ts';
import { SOCIAL_WRITES } from '../support/operations/social.ts';
import { CALLS, readSampleIds } from '../support/sample-calls.ts';

/** Two identical networks: in one every write has an idempotency key, in the other none. */
let keyed: Side;
let plain: Side;
interface Side {
  gateway: TestGateway;
  call: (name: string) => SampleCall;
}
beforeAll(async () => {
  [keyed, plain] = await Promise.all([side(), side()]);
});
afterAll(async () => {
  for (const { gateway } of [keyed, plain]) {
    expect(await findInconsistencies(gateway.services.store.db)).toEqual([]);
    await gateway.close();
  }
});

async function side(): Promise<Side> {
  const gateway = await startTestGateway();
  const ids = await readSampleIds(gateway);
  return { gateway, call: (name) => CALLS[name]!(ids) };
}

const writes = ROUTES.filter(({ open, document }) => !open && document.operationType === 'mutation')
  .map(routeName)
  // Ends the session, so it cannot be repeated.
  .filter((name) => name !== 'DELETE /api/v4/sessions');

test.each(writes)('%s returns the same answer with a key, and again when repeated', async (name) => {
  const [method] = name.split(' ');
  const send = async ({ gateway, call }: Side, headers: Record<string, string> = {}) => {
    const { as = 'alice', path, body } = call(name);
    const answer = await gateway.rest(path, { as, headers, ...(method && { method }), body });
    return { status: answer.status, body: normalize(answer.body), replayed: answer.headers.get('idempotent-replayed') };
  };
  const without = await send(plain);
  const key = { 'idempotency-key': name };
  expect(await send(keyed, key)).toEqual(without);
  expect(without.status).toBe(200);
  const again = await send(keyed, key);
  expect(again).toEqual({ ...without, replayed: 'true' });
});

const mutations = [
  ...PEOPLE_OPERATIONS.map(({ query, as = 'alice' }) => [query, as] as const),
  ...SOCIAL_WRITES.map(([query, , as]) => [query, as] as const),
  // Except those that contain a key already, deleteUser, whose caller cannot repeat it, and createKey, whose value only
  // the first response contains, and those that accept no key.
].filter(([query]) =>
  /^mutation { (?!deleteUser|createKey|consumeLoginLink|exchangeLoginCode|refreshSession|exportUser)(?!.*clientMutationId)/.test(
    query,
  ),
);

test.each(mutations)('%s by %s returns the same answer with a key, and again when repeated', async (query, as) => {
  const send = async ({ gateway }: Side, key?: string) =>
    normalize(await gateway.graphql(withFullPayload(query, key), { as }));
  const without = await send(plain);
  for (const _ of ['created', 'replayed']) expect(await send(keyed, query.slice(0, 255))).toEqual(without);
});

/** Replaces dates, and generated ids by their order of occurrence. */
function normalize(body: unknown): unknown {
  const known = new Map<string, string>();
  const named = (id: string) => known.get(id) ?? known.set(id, `id ${known.size}`).get(id)!;
  const text = JSON.stringify(body)
    .replace(/"closedIn":\d+/g, '"closedIn":0')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replace(/[0-9a-f]{24}|[0-9a-f]{8}-[0-9a-f-]{27}/g, named);
  return JSON.parse(text);
}
