import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { checkAnswer } from '../support/interface.ts';

const PATH = '/api/v3/content-feeds';
const ARRAYS = [
  'posts',
  'postChildren',
  'comments',
  'users',
  'files',
  'communities',
  'categories',
  'communityUsers',
  'feeds',
  'videoStreamings',
  'polls',
];

interface PostRow {
  postId: string;
  parentPostId: string | null;
  targetId: string;
  isDeleted: boolean;
  flagCount: number;
  createdAt: string;
  updatedAt: string;
}

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestNetwork();
});
afterAll(() => gateway.close());

async function posts(query = '', as = 'bob'): Promise<PostRow[]> {
  const { status, body } = await gateway.rest(`${PATH}?${query}`, { as });
  expect([status, body.status], `${query} ${JSON.stringify(body).slice(0, 200)}`).toEqual([200, 'success']);
  checkAnswer(body.data, { arrays: ARRAYS });
  return body.data.posts;
}
const ids = async (query = '', as = 'bob') => (await posts(query, as)).map(({ postId }) => postId);
const ALL = 'options[limit]=100';

test('returns the feed in its envelope with every array, field and resolvable reference', async () => {
  const { status, body } = await gateway.rest(PATH, { as: 'bob' });
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['status', 'data']);
  expect(Object.keys(body.data)).toEqual([...ARRAYS, 'paging']);
  expect(body.data.posts).toHaveLength(10);
  checkAnswer(body.data, { arrays: ARRAYS });
});

test('lists parent posts only, newest first, each once', async () => {
  const found = await posts(ALL);
  expect(found.every((post) => post.parentPostId === null)).toBe(true);
  const dates = found.map((post) => post.createdAt);
  expect(dates).toEqual([...dates].sort().reverse());
  expect(new Set(found.map((post) => post.postId)).size).toBe(found.length);
});

test('includes public and joined communities and users, excludes private ones and those with a ban', async () => {
  const targets = async (as: string) => new Set((await posts(ALL, as)).map((post) => post.targetId));
  expect(await targets('grace')).toContain('orchard-keepers');
  expect(await targets('erin')).not.toContain('orchard-keepers');
  expect(await targets('erin')).toContain('gardeners');
  expect(await targets('dave')).toEqual(new Set(['erin', 'bob']));
  expect(await ids(ALL, 'grace')).not.toContain('which-rootstock');
});

test('accepts four values of sortBy and rejects others', async () => {
  const orders = {
    lastCreated: ['createdAt', -1],
    firstCreated: ['createdAt', 1],
    lastUpdated: ['updatedAt', -1],
    firstUpdated: ['updatedAt', 1],
  } as const;
  for (const [sortBy, [field, direction]] of Object.entries(orders)) {
    const moments = (await posts(`${ALL}&sortBy=${sortBy}`)).map((post) => post[field]);
    expect(moments).toEqual(
      [...moments].sort().map((_, index, sorted) => sorted.at(direction === 1 ? index : -1 - index)),
    );
  }
  for (const sortBy of ['displayName', '', 'LAST_CREATED', '__proto__']) {
    expect(await gateway.rest(`${PATH}?sortBy=${sortBy}`)).toMatchObject({ status: 422, body: { code: 500000 } });
  }
});

test('isDeleted: absent and null match both; only moderators see deleted posts', async () => {
  for (const query of [ALL, `${ALL}&isDeleted=null`, `${ALL}&isDeleted=`]) {
    expect(await ids(query, 'alice')).toContain('salt-on-slugs');
    expect(await ids(query, 'bob')).not.toContain('salt-on-slugs');
  }
  expect(await ids(`${ALL}&isDeleted=false`, 'alice')).not.toContain('salt-on-slugs');
  expect(await ids(`${ALL}&isDeleted=true`, 'alice')).toEqual(['salt-on-slugs']);
  expect(await ids(`${ALL}&isDeleted=true`, 'bob')).toEqual([]);
  expect(await gateway.rest(`${PATH}?isDeleted=maybe`)).toMatchObject({ status: 422 });
});

test('hasFlag: true lists flagged posts for moderators, false unflagged posts for everybody', async () => {
  expect(await ids(`${ALL}&hasFlag=true`, 'alice')).toEqual(['miracle-fertiliser']);
  expect(await ids(`${ALL}&hasFlag=true`, 'bob')).toEqual([]);
  expect(await ids(`${ALL}&hasFlag=false`, 'bob')).not.toContain('miracle-fertiliser');
  expect(await ids(`${ALL}&hasFlag=null`, 'bob')).toContain('miracle-fertiliser');
});

test('limit is between 1 and 100', async () => {
  expect(await ids('options[limit]=1')).toHaveLength(1);
  await posts('options[limit]=100');
  for (const limit of ['0', '101', '-1', '1.5', 'ten', '']) {
    const { status, body } = await gateway.rest(`${PATH}?options[limit]=${limit}`);
    expect([status, body.code], limit).toEqual([422, 500000]);
    expect(body.data.detail[0]).toContain('options.limit');
  }
});

test('pages in both directions return every post once, also with a token that the client constructed', async () => {
  const all = await ids(ALL);
  const seen: string[] = [];
  let query = 'options[limit]=3';
  let last: { previous?: string } = {};
  for (let page = 0; page < 20; page += 1) {
    const { body } = await gateway.rest(`${PATH}?${query}`, { as: 'bob' });
    seen.push(...body.data.posts.map((post: PostRow) => post.postId));
    last = body.data.paging;
    if (!body.data.paging.next) break;
    expect(JSON.parse(Buffer.from(body.data.paging.next, 'base64').toString())).toBeTypeOf('object');
    query = `options[token]=${encodeURIComponent(body.data.paging.next)}`;
  }
  expect(seen).toEqual(all);
  const before = await ids(`options[token]=${encodeURIComponent(last.previous!)}`);
  expect(all.join()).toContain(before.join());
  const own = Buffer.from(JSON.stringify({ skip: 2, limit: 4 })).toString('base64');
  expect(await ids(`options[token]=${encodeURIComponent(own)}`)).toEqual(all.slice(2, 6));
});

test('rejects crafted, foreign and oversized tokens and operator objects', async () => {
  const token = (value: unknown) => encodeURIComponent(Buffer.from(JSON.stringify(value)).toString('base64'));
  for (const bad of [
    'nonsense',
    token({ after: 'x' }),
    token({ skip: -1 }),
    token({ skip: 1, limit: 1000 }),
    token({ after: { $ne: null } }),
    token([1]),
  ]) {
    const { status, body } = await gateway.rest(`${PATH}?options[token]=${bad}`);
    expect([status, body.code], bad).toEqual([400, 400000]);
  }
  for (const query of [
    `options[token]=${'a'.repeat(1_001)}`,
    'options[limit][$gt]=1',
    'hasFlag[$ne]=x',
    'sortBy[$ne]=x',
    'isDeleted[]=true',
  ]) {
    expect(await gateway.rest(`${PATH}?${query}`), query).toMatchObject({ status: 422, body: { code: 500000 } });
  }
});
