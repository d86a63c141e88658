import fc from 'fast-check';
import { ObjectId } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PostRecord } from '../../src/store/records/content.ts';
import { type GraphqlAnswer, openTestNetwork, type TestGateway } from '../support/gateway.ts';

const PAGE = `query ($first: Int, $after: String, $last: Int, $before: String) {
  posts(targetType: USER, targetId: "erin", first: $first, after: $after, last: $last, before: $before) {
    edges { cursor node { postId } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;

interface Page {
  posts: {
    edges: Array<{ cursor: string; node: { postId: string } }>;
    pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
  };
}

let gateway: TestGateway;
let template: PostRecord;
beforeAll(async () => {
  gateway = await openTestNetwork();
  template = (await gateway.services.store.collections.posts.findOne({
    networkId: gateway.networkId,
    postId: 'seedlings',
  }))!;
});
afterAll(() => gateway.close());

const posts = () => gateway.services.store.collections.posts;

/** A post on erin's feed; there are few different dates, so that many posts share one. */
function postAt(minute: number): PostRecord {
  const _id = new ObjectId();
  const createdAt = new Date(Date.UTC(2026, 1, 1, 0, minute));
  return {
    ...template,
    _id,
    postId: _id.toHexString(),
    targetType: 'user',
    targetId: 'erin',
    postedUserId: 'erin',
    parentPostId: null,
    comments: [],
    commentsCount: 0,
    createdAt,
    updatedAt: createdAt,
  };
}

const minute = fc.integer({ min: 0, max: 6 });
const change = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), minute }),
  fc.record({ kind: fc.constant('remove' as const), index: fc.nat(40) }),
);
const scenario = fc.record({
  initial: fc.array(minute, { minLength: 1, maxLength: 25 }),
  size: fc.integer({ min: 1, max: 6 }),
  backward: fc.boolean(),
  changes: fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 12 }),
});

test('paging over changing data returns unchanged records exactly once, in order, in both directions', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ initial, size, backward, changes }) => {
      await posts().deleteMany({
        networkId: gateway.networkId,
        targetType: 'user',
        targetId: 'erin',
        feedType: 'published',
      });
      const stored = initial.map(postAt);
      await posts().insertMany(stored);
      const unchanged = new Map(stored.map((post) => [post.postId, post]));
      const seen: string[] = [];
      let cursor: string | null = null;
      for (let turn = 0; turn < 60; turn += 1) {
        const variables: Record<string, unknown> = backward
          ? { last: size, before: cursor }
          : { first: size, after: cursor };
        const { data, errors }: GraphqlAnswer<Page> = await gateway.graphql<Page>(PAGE, { as: 'erin', variables });
        expect(errors).toBeUndefined();
        const { edges, pageInfo } = data.posts;
        expect(edges.length).toBeLessThanOrEqual(size);
        const ids = edges.map(({ node }) => node.postId);
        if (backward) seen.unshift(...ids);
        else seen.push(...ids);
        const more = backward ? pageInfo.hasPreviousPage : pageInfo.hasNextPage;
        if (!more) break;
        cursor = backward ? pageInfo.startCursor : pageInfo.endCursor;
        for (const one of changes[turn] ?? []) {
          if (one.kind === 'add') await posts().insertOne(postAt(one.minute));
          else {
            const deleted = stored[one.index];
            if (deleted) {
              unchanged.delete(deleted.postId);
              await posts().deleteOne({ networkId: gateway.networkId, postId: deleted.postId });
            }
          }
        }
      }
      expect(new Set(seen).size, 'nothing twice').toBe(seen.length);
      const newestFirst = [...unchanged.values()].sort(
        (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a._id.toHexString() < b._id.toHexString() ? 1 : -1),
      );
      expect(seen.filter((id) => unchanged.has(id))).toEqual(newestFirst.map(({ postId }) => postId));
    }),
    { numRuns: 60 },
  );
}, 240_000);

test('rejects first with last, pages beyond bounds and cursors of other lists', async () => {
  const refused = async (variables: Record<string, unknown>) =>
    (await gateway.graphql(PAGE, { as: 'erin', variables })).errors?.[0]?.extensions?.code;
  expect(await refused({ first: 1, last: 1 })).toBe('INVALID_PARAMETERS');
  for (const first of [0, -1, 101]) expect(await refused({ first })).toBe('INVALID_PARAMETERS');
  for (const after of [
    '',
    'x',
    'e30',
    Buffer.from('["s","x","0123456789abcdef01234567"]').toString('base64url'),
    Buffer.from('[{"$gt":""},1,"0123456789abcdef01234567"]').toString('base64url'),
    'x'.repeat(2_000),
  ]) {
    expect(await refused({ first: 1, after }), after.slice(0, 40)).toBe('BAD_REQUEST');
  }
});
