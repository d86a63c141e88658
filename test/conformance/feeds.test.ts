import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { checkAnswer } from '../support/interface.ts';
import { ask, mutations } from '../support/mutate.ts';
import { expectRefusal, INVALID, NOT_FOUND } from '../support/refusals.ts';
import { POST_ARRAYS } from '../support/side-arrays.ts';

const GLOBAL = '/api/v4/me/global-feeds';
const ALL = 'options[limit]=100';
interface PostRow {
  postId: string;
  parentPostId: string | null;
  targetType: string;
  targetId: string;
  isDeleted: boolean;
  createdAt: string;
}

let gateway: TestGateway;
let mutate: ReturnType<typeof mutations>;
beforeAll(async () => {
  gateway = await openTestNetwork();
  mutate = mutations(gateway);
});
afterAll(() => gateway.close());

const posts = async (as: string, query = ALL, path = GLOBAL): Promise<PostRow[]> => {
  const { status, body } = await gateway.rest(`${path}?${query}`, { as });
  expect(status, `${path}?${query} ${JSON.stringify(body).slice(0, 200)}`).toBe(200);
  checkAnswer(body, { arrays: POST_ARRAYS });
  return body.posts;
};
const ids = async (...args: Parameters<typeof posts>) => (await posts(...args)).map(({ postId }) => postId);
const targets = async (as: string) =>
  [...new Set((await posts(as)).map(({ targetType, targetId }) => `${targetType} ${targetId}`))].sort();
const post = async (as: string, targetType: 'USER' | 'COMMUNITY', targetId: string): Promise<string> => {
  const input = { targetType, targetId, data: { text: 'News' } };
  return (await mutate(as, 'createPost', input, 'post { postId }')).post.postId;
};

test('both versions return every array, field and resolvable reference of a list of posts', async () => {
  for (const version of ['v4', 'v5']) {
    const { status, body } = await gateway.rest(`/api/${version}/me/global-feeds?options[limit]=5`, { as: 'alice' });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual([...POST_ARRAYS, 'paging']);
    expect(body.posts).toHaveLength(5);
    const { paging, ...arrays } = body;
    expect(Object.keys(paging)).toEqual(['next']);
    checkAnswer(arrays, { arrays: POST_ARRAYS });
  }
});

test('the global feed contains joined communities and the own feed; content-feeds adds public communities', async () => {
  const own = await post('bob', 'USER', 'bob');
  expect(await targets('bob')).toEqual(['community gardeners', 'user bob']);
  expect((await ids('bob'))[0]).toBe(own);
  expect(await ids('grace')).not.toContain(own);
  expect(await targets('erin')).toEqual(['user erin']);
  const { body } = await gateway.rest(`/api/v3/content-feeds?${ALL}`, { as: 'erin' });
  expect(new Set(body.data.posts.map((row: PostRow) => row.targetId))).toContain('gardeners');
});

test('the global feed follows joining, leaving and bans', async () => {
  await mutate('erin', 'joinCommunity', { communityId: 'gardeners' }, '__typename');
  expect(await targets('erin')).toContain('community gardeners');
  await mutate('erin', 'leaveCommunity', { communityId: 'gardeners' }, '__typename');
  expect(await targets('erin')).toEqual(['user erin']);
  expect(await targets('dave')).toEqual([]);
});

test('lists published parent posts that are not deleted, newest first, each once', async () => {
  const found = await posts('alice');
  expect(found.length).toBeGreaterThan(5);
  expect(found.every(({ parentPostId, isDeleted }) => parentPostId === null && !isDeleted)).toBe(true);
  const dates = found.map(({ createdAt }) => createdAt);
  expect(dates).toEqual([...dates].sort().reverse());
  expect(new Set(found.map(({ postId }) => postId)).size).toBe(found.length);
  expect(await ids('alice', `${ALL}&dataTypes[]=poll`)).toEqual([]);
  expect(await ids('alice', `${ALL}&dataTypes[]=text&dataTypes[]=poll`)).toEqual(
    await ids('alice', `${ALL}&dataTypes=text`),
  );
});

test('omits posts of blocked users', async () => {
  const created = await post('carol', 'COMMUNITY', 'gardeners');
  const seen = async () => {
    const { globalFeed } = await ask(gateway, '{ globalFeed(first: 5) { edges { node { postId } } } }', { as: 'bob' });
    return globalFeed.edges.map(({ node }: { node: PostRow }) => node.postId);
  };
  expect(await seen()).toContain(created);
  await mutate('bob', 'blockUser', { userId: 'carol' }, '__typename');
  expect(await seen()).not.toContain(created);
  await mutate('bob', 'unblockUser', { userId: 'carol' }, '__typename');
});

test('pages in both directions return every post once', async () => {
  await post('grace', 'USER', 'grace');
  const all = await ids('grace');
  const met: string[] = [];
  let query = 'options[limit]=3';
  let previous = '';
  for (let page = 0; page < 30; page += 1) {
    const { body } = await gateway.rest(`${GLOBAL}?${query}`, { as: 'grace' });
    met.push(...body.posts.map(({ postId }: PostRow) => postId));
    previous = body.paging.previous;
    if (!body.paging.next) break;
    query = `options[token]=${encodeURIComponent(body.paging.next)}`;
  }
  expect(met).toEqual(all);
  const before = await ids('grace', `options[token]=${encodeURIComponent(previous)}`);
  expect(all.join()).toContain(before.join());
  const own = Buffer.from(JSON.stringify({ skip: 2, limit: 4 })).toString('base64');
  expect(await ids('grace', `options[token]=${encodeURIComponent(own)}`)).toEqual(all.slice(2, 6));
});

test('includes all communities of a member of more communities than one read covers', async () => {
  const { communities, communityUsers, posts: records } = gateway.services.store.collections;
  const like = { networkId: gateway.networkId, communityId: 'gardeners' };
  const { _id, ...community } = (await communities.findOne(like))!;
  const { _id: _, ...member } = (await communityUsers.findOne({ ...like, userId: 'bob' }))!;
  const { _id: __, ...model } = (await records.findOne({ networkId: gateway.networkId, postId: 'seedlings' }))!;
  const names = Array.from({ length: 230 }, (_, index) => `many-${index}`);
  await communities.insertMany(names.map((communityId) => ({ ...community, communityId }) as never));
  await communityUsers.insertMany(names.map((communityId) => ({ ...member, communityId, userId: 'leo' }) as never));
  await records.insertMany(
    names.map((name, index) => {
      const createdAt = new Date(Date.UTC(2032, 0, 1) + index * 1_000);
      return { ...model, postId: `post-${name}`, targetId: name, createdAt } as never;
    }),
  );
  const newest = [...names].reverse().map((name) => `post-${name}`);
  const read = async (page: string) => {
    const { globalFeed } = await ask(
      gateway,
      `{ globalFeed(first: 100${page}) { edges { node { postId } } pageInfo { endCursor } } }`,
      { as: 'leo' },
    );
    const found = globalFeed.edges.map(({ node }: { node: PostRow }) => node.postId);
    return { found, end: globalFeed.pageInfo.endCursor };
  };
  const first = await read('');
  const second = await read(`, after: "${first.end}"`);
  const third = await read(`, after: "${second.end}"`);
  expect([...first.found, ...second.found, ...third.found].slice(0, 230)).toEqual(newest);
});

test('a user feed contains the same posts as the list by target', async () => {
  const path = '/api/v4/user-feeds/erin';
  const found = await posts('bob', ALL, path);
  expect(found.length).toBeGreaterThan(0);
  expect(found.every(({ targetType, targetId }) => targetType === 'user' && targetId === 'erin')).toBe(true);
  expect(await ids('bob', ALL, path)).toEqual(
    await ids('bob', `${ALL}&targetType=user&targetId=erin`, '/api/v4/posts'),
  );
  const created = await post('erin', 'USER', 'erin');
  expect((await ids('bob', 'options[limit]=1', path))[0]).toBe(created);
  expect((await ids('bob', `${ALL}&sortBy=firstCreated`, path)).at(-1)).toBe(created);
  await mutate('erin', 'deletePost', { postId: created }, '__typename');
  expect(await ids('bob', ALL, path)).not.toContain(created);
  expect(await ids('admin', ALL, path)).toContain(created);
  expect(await ids('admin', `${ALL}&isDeleted=false`, path)).not.toContain(created);
});

test('rejects values out of bounds, absent targets and invalid values', async () => {
  await expectRefusal(gateway, '/api/v4/user-feeds/nobody-here', { as: 'bob' }, NOT_FOUND);
  for (const bad of ['options[limit]=0', 'options[limit]=101', 'options[limit][$gt]=1', 'dataTypes[$ne]=x']) {
    for (const path of [GLOBAL, '/api/v5/me/global-feeds', '/api/v4/user-feeds/bob'])
      await expectRefusal(gateway, `${path}?${bad}`, { as: 'bob' }, INVALID);
  }
  await expectRefusal(gateway, '/api/v4/user-feeds/bob?sortBy=best', { as: 'bob' }, INVALID);
  await expectRefusal(gateway, `/api/v4/user-feeds/${'x'.repeat(901)}`, { as: 'bob' }, INVALID);
  await expectRefusal(gateway, `${GLOBAL}?options[token]=nonsense`, { as: 'bob' }, [400, 400000]);
});
