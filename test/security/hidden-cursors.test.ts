import { ObjectId } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';

/** `kim` has private communities, more than one page scans, before a public one; `mia` is in none. */
let gateway: TestGateway;
const mutate = mutations(() => gateway);
const create = (displayName: string, fields: object = {}) =>
  mutate('kim', 'createCommunity', { displayName, ...fields }, 'community { communityId }');
const SECRET = /Secret/;
/** Of 60 KB each. A page ends with the step of at most 100 records in which it has read 4 MiB. */
const PRIVATE = 120;

beforeAll(async () => {
  gateway = await openTestNetwork();
  const metadata = { notes: 'n'.repeat(60_000) };
  await create('0 Secret', { isPublic: false, metadata });
  const { communities } = gateway.services.store.collections;
  const { _id, ...secret } = (await communities.findOne({ networkId: gateway.networkId, displayName: '0 Secret' }))!;
  await communities.insertMany(
    Array.from({ length: PRIVATE - 1 }, (_, index) => ({
      ...secret,
      _id: new ObjectId(),
      communityId: `secret-${index}`,
      displayName: `0 Secret ${index}`,
    })),
  );
  await create('1 Public');
});
afterAll(() => gateway.close());

interface Listed {
  communities: {
    edges: Array<{ node: { displayName: string } }>;
    pageInfo: { hasNextPage: boolean; endCursor: string };
  };
}

async function page(after: string | null): Promise<Listed['communities']> {
  const list = `query ($after: String) {
    communities(first: 1, after: $after, sortBy: DISPLAY_NAME) {
      edges { node { displayName } } pageInfo { hasNextPage endCursor }
    }
  }`;
  return (await gateway.graphql<Listed>(list, { as: 'mia', variables: { after } })).data.communities;
}

/** What a client finds in a text that it decodes as base64, at each offset. */
function decoded(text: string): string {
  const offsets = [0, 1, 2, 3].map((offset) => Buffer.from(text.slice(offset), 'base64').toString('latin1'));
  return [text, ...offsets].join('\n');
}

test('a cursor after records hidden from the viewer shows nothing of them, and continues after them', async () => {
  const names: string[] = [];
  let after: string | null = null;
  let pages = 0;
  do {
    const { edges, pageInfo } = await page(after);
    if (edges.length === 0) expect(pageInfo.hasNextPage).toBe(true);
    expect(decoded(pageInfo.endCursor)).not.toMatch(SECRET);
    names.push(...edges.map(({ node }) => node.displayName));
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    pages += 1;
  } while (after !== null);
  expect(pages).toBeGreaterThan(1);
  expect(names).toContain('1 Public');
  expect(names.join()).not.toMatch(SECRET);
});

test('so does a page token of REST', async () => {
  const { status, body } = await gateway.rest('/api/v3/communities?sortBy=displayName&options[limit]=1', { as: 'mia' });
  expect([status, body.communities]).toEqual([200, []]);
  const { after } = JSON.parse(Buffer.from(body.paging.next, 'base64').toString('utf8'));
  const [cursor] = after.split('?');
  expect(decoded(cursor)).not.toMatch(SECRET);
  const next = await gateway.rest(`/api/v3/communities?options[token]=${encodeURIComponent(body.paging.next)}`, {
    as: 'mia',
  });
  expect(next.body.communities.map(({ displayName }: { displayName: string }) => displayName)).toEqual(['1 Public']);
});

test('a changed cursor, and that of another list, are rejected', async () => {
  const read = async (after: string | null, sortBy = 'DISPLAY_NAME') =>
    gateway.graphql<Listed>(
      `query ($after: String, $sortBy: CommunitySort) {
        communities(first: 1, after: $after, sortBy: $sortBy) { edges { cursor } pageInfo { endCursor } }
      }`,
      { as: 'mia', variables: { after, sortBy } },
    );
  const cursor: string = (await page(null)).pageInfo.endCursor;
  expect((await read(cursor)).errors).toBeUndefined();
  const byDate: string = (await read(null, 'FIRST_CREATED')).data.communities.pageInfo.endCursor;
  const changed = `${cursor.slice(0, -4)}${cursor.at(-4) === 'A' ? 'B' : 'A'}${cursor.slice(-3)}`;
  for (const invalid of [changed, cursor.slice(0, 9), `${cursor.slice(0, 8)}${byDate.slice(8)}`]) {
    const { errors } = await read(invalid);
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'BAD_REQUEST' }, path: ['communities'] });
  }
});
