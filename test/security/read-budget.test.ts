import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { OPERATION_LIMITS } from '../../src/limits/limits.ts';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';

const POSTS = 12;
/** Members of the metadata of one post, about 33 KB as stored. */
const MEMBERS = 3_000;
const limits = { ...OPERATION_LIMITS };

let gateway: TestGateway;
let postIds: string[];
const mutate = mutations(() => gateway);
beforeAll(async () => {
  gateway = await openTestNetwork();
  const metadata = Object.fromEntries(Array.from({ length: MEMBERS }, (_, index) => [`k${index}`, index]));
  postIds = [];
  for (let index = 0; index < POSTS; index += 1) {
    const input = { targetType: 'USER', targetId: 'alice', data: { text: 'long' }, metadata };
    postIds.push((await mutate('alice', 'createPost', input, 'post { postId }')).post.postId);
  }
});
afterEach(() => void Object.assign(OPERATION_LIMITS, limits));
afterAll(() => gateway.close());

const REFUSED = expect.stringContaining('Limit exceeded (readBytes)');
const page = (name: string, first: number, skip = 0) =>
  `${name}: user(userId: "alice") { posts(first: ${first}, skip: ${skip}) { edges { node { postId } } } }`;
const many = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ');

async function codesOf(query: string) {
  const { errors } = await gateway.graphql(query);
  return errors?.map(({ message, extensions }) => [extensions?.code, message]) ?? [];
}

/**
 * The least processor time of each group of queries in alternating runs, in microseconds: other work of the process, such
 * as garbage collection, only adds to it.
 */
async function leastCpu(groups: string[][], before?: (run: number) => Promise<void>): Promise<number[]> {
  const least = groups.map(() => Number.POSITIVE_INFINITY);
  for (let run = 0; run < 9; run += 1) {
    for (const [index, queries] of groups.entries()) {
      await before?.(run * groups.length + index);
      const start = process.cpuUsage();
      for (const query of queries) expect((await gateway.graphql(query)).errors).toBeUndefined();
      least[index] = Math.min(least[index]!, process.cpuUsage(start).user);
    }
  }
  return least;
}

test('rejects pages of long records that together exceed the bytes a request may read', async () => {
  Object.assign(OPERATION_LIMITS, { readBytes: 1_000_000 });
  expect(await codesOf(`{ ${many(8, (index) => page(`a${index}`, 60 + index))} }`)).toContainEqual([
    'TOO_LARGE',
    REFUSED,
  ]);
  expect(await codesOf(`{ ${many(8, (index) => page(`a${index}`, 10 + index))} }`)).toContainEqual([
    'TOO_LARGE',
    REFUSED,
  ]);
  expect(await codesOf(`{ ${page('one', 100)} }`)).toEqual([]);
});

test('answers a request while another one exceeds the bytes it may read', async () => {
  Object.assign(OPERATION_LIMITS, { readBytes: 1_000_000 });
  const heavy = `{ ${many(24, (index) => page(`a${index}`, 30 + index))} }`;
  const light = `{ ${page('one', 3)} }`;
  for (let round = 0; round < 3; round += 1) {
    const [refused, answered] = await Promise.all([codesOf(heavy), codesOf(light)]);
    expect(refused).toContainEqual(['TOO_LARGE', REFUSED]);
    expect(answered).toEqual([]);
  }
});

test('counts long records that a page skips', async () => {
  Object.assign(OPERATION_LIMITS, { readBytes: 200_000 });
  expect(await codesOf(`{ ${page('one', 1, 10)} }`)).toEqual([['TOO_LARGE', REFUSED]]);
  expect(await codesOf(`{ ${page('one', 1)} }`)).toEqual([]);
});

test('rejects long records loaded by their ids beyond the bytes a request may read', async () => {
  Object.assign(OPERATION_LIMITS, { readBytes: 200_000 });
  const byIds = (ids: string[]) => `{ postsByIds(postIds: ${JSON.stringify(ids)}) { postId } }`;
  expect(await codesOf(byIds(postIds))).toEqual([['TOO_LARGE', REFUSED]]);
  expect(await codesOf(byIds(postIds.slice(0, 3)))).toEqual([]);
});

test('answers 413 to a REST list beyond the bytes a request may read', async () => {
  Object.assign(OPERATION_LIMITS, { readBytes: 200_000 });
  const { status, body } = await gateway.rest('/api/v4/user-feeds/alice?options[limit]=100');
  expect([status, body.message]).toEqual([413, REFUSED]);
  expect((await gateway.rest('/api/v4/user-feeds/alice?options[limit]=2')).status).toBe(200);
});

test('does not decode long metadata that a request does not select', async () => {
  const byIds = (fields: string) => [`{ postsByIds(postIds: ${JSON.stringify(postIds)}) { ${fields} } }`];
  // Changes each record, so that no cached decoded record applies.
  const changeAll = async (flagCount: number) => {
    const { networkId } = gateway;
    for (const postId of postIds)
      await gateway.services.store.collections.posts.updateOne({ networkId, postId }, { $set: { flagCount } });
  };
  const [without, selected] = await leastCpu([byIds('postId'), byIds('postId metadata')], changeAll);
  expect(without).toBeLessThan(selected! / 2);
});

describe('members of free-form data', () => {
  const SELECTED = expect.stringContaining('Limit exceeded (freeFormMembers)');
  const byIds = (count: number, fields: string) =>
    `{ postsByIds(postIds: ${JSON.stringify(postIds.slice(0, count))}) { ${fields} } }`;

  test('rejects a request that selects too many of them, from several records or from one', async () => {
    Object.assign(OPERATION_LIMITS, { freeFormMembers: 3 * MEMBERS });
    expect(await codesOf(byIds(4, 'metadata'))).toContainEqual(['TOO_LARGE', SELECTED]);
    expect(
      await codesOf(
        byIds(
          1,
          many(4, (index) => `a${index}: metadata`),
        ),
      ),
    ).toContainEqual(['TOO_LARGE', SELECTED]);
    expect(await codesOf(byIds(3, 'metadata'))).toEqual([]);
    expect(await codesOf(byIds(POSTS, 'postId'))).toEqual([]);
  });

  test('answers 413 to a REST list that contains too many of them', async () => {
    Object.assign(OPERATION_LIMITS, { freeFormMembers: 3 * MEMBERS });
    const { status, body } = await gateway.rest('/api/v4/user-feeds/alice?options[limit]=100');
    expect([status, body.message]).toEqual([413, SELECTED]);
    expect((await gateway.rest('/api/v4/user-feeds/alice?options[limit]=3')).status).toBe(200);
  });

  test('counts them at any depth and of every type', async () => {
    const elements = Array.from({ length: 500 }, (_, index) => [index, `${index}`, null, true, 1.5, { inner: index }]);
    const input = { targetType: 'USER', targetId: 'alice', data: { text: 'deep' }, metadata: { elements } };
    const { post } = await mutate('alice', 'createPost', input, 'post { postId }');
    const query = `{ post(postId: "${post.postId}") { metadata } }`;
    // The list itself, 500 inner lists with six elements each, and one member in one of these elements.
    const members = 1 + 500 * (1 + 6 + 1);
    Object.assign(OPERATION_LIMITS, { freeFormMembers: members - 1 });
    expect(await codesOf(query)).toEqual([['TOO_LARGE', SELECTED]]);
    Object.assign(OPERATION_LIMITS, { freeFormMembers: members });
    expect(await codesOf(query)).toEqual([]);
  });
});

test('reads long records for several pages with at most twice the CPU of one page at a time', async () => {
  // Pages of up to 60 records share a command; larger pages send one each.
  const together = `{ ${many(5, (index) => page(`a${index}`, 40 + index))} }`;
  const oneByOne = Array.from({ length: 5 }, (_, index) => `{ ${page('one', 70 + index)} }`);
  const [shared, single] = await leastCpu([[together], oneByOne]);
  expect(shared).toBeLessThan(single! * 2);
});

test('returns long metadata as it was stored', async () => {
  const { data } = await gateway.graphql<{ post: { metadata: Record<string, number> } }>(
    `{ post(postId: "${postIds[0]}") { metadata } }`,
  );
  expect(Object.keys(data.post.metadata)).toHaveLength(MEMBERS);
  expect(data.post.metadata.k2999).toBe(2_999);
});
