import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestNetwork();
});
afterAll(() => gateway.close());

const react = (
  operation: 'addReaction' | 'removeReaction',
  input: { reactionName: string; referenceId?: string; clientMutationId?: string; idempotencyKey?: string | null },
  as = 'bob',
) =>
  gateway.graphql<{ answer: Record<string, unknown> & { reference?: { reactionsCount: number } } }>(
    `mutation ($input: ${operation === 'addReaction' ? 'Add' : 'Remove'}ReactionInput!) {
      answer: ${operation}(input: $input) {
        __typename
        ... on ${operation === 'addReaction' ? 'Add' : 'Remove'}ReactionPayload {
          clientMutationId reaction { reactionId createdAt } reference { ... on Post { reactionsCount } }
        }
        ... on OperationError { code message }
      }
    }`,
    { as, variables: { input: { referenceType: 'POST', referenceId: 'seedlings', ...input } } },
  );

test('a repeated clientMutationId returns the original answer without executing the mutation again', async () => {
  const { data: added } = await react('addReaction', { reactionName: 'once', clientMutationId: 'a' });
  expect(added.answer.__typename).toBe('AddReactionPayload');
  const input = { reactionName: 'once', clientMutationId: 'b' };
  const { data: removed } = await react('removeReaction', input);
  expect(removed.answer).toMatchObject({ __typename: 'RemoveReactionPayload', clientMutationId: 'b' });
  // Without a key, or with another one, the mutation is executed, and there is nothing left to remove.
  expect((await react('removeReaction', { reactionName: 'once' })).data.answer.code).toBe('NOT_FOUND');
  expect((await react('removeReaction', { ...input, clientMutationId: 'c' })).data.answer.code).toBe('NOT_FOUND');
  expect((await react('removeReaction', input)).data).toEqual(removed);
  expect((await react('addReaction', { reactionName: 'once', clientMutationId: 'a' })).data).toEqual(added);
});

test('a repeated idempotencyKey returns the original answer with the clientMutationId of the repetition', async () => {
  await react('addReaction', { reactionName: 'keyed' });
  const input = { reactionName: 'keyed', idempotencyKey: 'k-1' };
  const { data: removed } = await react('removeReaction', { ...input, clientMutationId: 'first' });
  expect(removed.answer).toMatchObject({ __typename: 'RemoveReactionPayload', clientMutationId: 'first' });
  const { data: again } = await react('removeReaction', { ...input, clientMutationId: 'second' });
  expect(again.answer).toEqual({ ...removed.answer, clientMutationId: 'second' });
  const other = await react('removeReaction', { ...input, reactionName: 'other' });
  expect(other.data.answer).toMatchObject({ code: 'CONFLICT' });
});

test('beside an idempotencyKey, and beside one of null, a clientMutationId is no key', async () => {
  for (const idempotencyKey of ['k-2', null]) {
    await react('addReaction', { reactionName: 'echoed' });
    const echoed = { reactionName: 'echoed', clientMutationId: 'same', idempotencyKey };
    const first = await react('removeReaction', echoed);
    expect(first.data.answer).toMatchObject({ __typename: 'RemoveReactionPayload', clientMutationId: 'same' });
    const next = { ...echoed, idempotencyKey: idempotencyKey && 'k-3' };
    expect((await react('removeReaction', next)).data.answer.code).toBe('NOT_FOUND');
  }
});

test('a failed mutation is executed again under the same key', async () => {
  const input = { reactionName: 'later', clientMutationId: 'd' };
  expect((await react('removeReaction', input)).data.answer.code).toBe('NOT_FOUND');
  await react('addReaction', { reactionName: 'later' });
  expect((await react('removeReaction', input)).data.answer.__typename).toBe('RemoveReactionPayload');
});

test('a key identifies one write of one user', async () => {
  await react('addReaction', { reactionName: 'mine', clientMutationId: 'e' });
  const other = await react('addReaction', { reactionName: 'another', clientMutationId: 'e' });
  expect(other.data.answer).toMatchObject({ __typename: 'OperationError', code: 'CONFLICT' });
  const carol = await react('addReaction', { reactionName: 'another', clientMutationId: 'e' }, 'carol');
  expect(carol.data.answer.__typename).toBe('AddReactionPayload');
});

test('rejects keys that are too long or not strings', async () => {
  for (const key of ['x'.repeat(256), '\ud800']) {
    for (const named of [{ clientMutationId: key }, { idempotencyKey: key }]) {
      const { data } = await react('addReaction', { reactionName: 'long', ...named });
      expect(data.answer).toMatchObject({ code: 'INVALID_PARAMETERS' });
    }
  }
});

test('concurrent repetitions are executed once', async () => {
  await react('addReaction', { reactionName: 'race' });
  const input = { reactionName: 'race', clientMutationId: 'f' };
  const answers = await Promise.all(Array.from({ length: 20 }, () => react('removeReaction', input)));
  expect(answers[0]!.data.answer.__typename).toBe('RemoveReactionPayload');
  for (const { data } of answers) expect(data).toEqual(answers[0]!.data);
});

test('concurrent writes with different keys on one record keep exact counts', async () => {
  const before = (await react('addReaction', { reactionName: 'count' })).data.answer.reference!.reactionsCount;
  await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      react('addReaction', { reactionName: `count-${index}`, clientMutationId: `count-${index}` }, 'carol'),
    ),
  );
  const after = (await react('addReaction', { reactionName: 'count' })).data.answer.reference!.reactionsCount;
  expect(after - before).toBe(30);
});

test('REST accepts Idempotency-Key and marks repeated answers', async () => {
  const path = '/api/v1/pinned-posts/communities/gardeners/default/grafting';
  const pin = (headers: Record<string, string> = {}) => gateway.rest(path, { method: 'POST', headers });
  const [post] = (await gateway.rest('/api/v4/posts?targetType=community&targetId=gardeners')).body.posts;
  const target = path.replace('grafting', post.postId);
  await gateway.rest(target, { method: 'DELETE' });
  const first = await gateway.rest(target, { method: 'POST', headers: { 'idempotency-key': 'pin-1' } });
  expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([200, null]);
  const again = await gateway.rest(target, { method: 'POST', headers: { 'idempotency-key': 'pin-1' } });
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  expect(again.body).toEqual(first.body);
  expect((await gateway.rest(target, { method: 'POST' })).body.code).toBe(400000);
  const elsewhere = await pin({ 'idempotency-key': 'pin-1' });
  expect([elsewhere.status, elsewhere.body.code]).toEqual([409, 400900]);
});

test('a REST parameter that is null makes the same write as one that is left out', async () => {
  const flag = (body?: object) =>
    gateway.rest('/api/v3/posts/seedlings/flag', {
      as: 'bob',
      method: 'POST',
      body,
      headers: { 'idempotency-key': 'null-reason' },
    });
  const first = await flag();
  expect(first.status).toBe(200);
  const again = await flag({ reason: null, detail: null });
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  expect(again.body).toEqual(first.body);
});
