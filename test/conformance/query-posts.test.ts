import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { checkAnswer } from '../support/interface.ts';
import { POST_ARRAYS } from '../support/side-arrays.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestNetwork();
});
afterAll(() => gateway.close());

async function ids(query: string, as = 'bob', version = 'v4'): Promise<string[]> {
  const { status, body } = await gateway.rest(`/api/${version}/posts?${query}`, { as });
  expect(status, query).toBe(200);
  expect(Object.keys(body)).toEqual([...POST_ARRAYS, 'paging']);
  checkAnswer(body, { arrays: POST_ARRAYS });
  return body.posts.map((post: { postId: string }) => post.postId);
}
const GARDENERS = 'targetType=community&targetId=gardeners&options[limit]=100';

test('both versions list the parent posts of a target with the queries of published clients', async () => {
  const filter = `${GARDENERS}&feedType=published&isDeleted=false&hasFlag=false&matchingOnlyParentPost=true&sortBy=lastCreated`;
  const listed = await ids(filter);
  expect(listed).toEqual([
    'seed-swap',
    'potting',
    'spring-show',
    'greenhouse',
    'crop-poll',
    'pruning',
    'compost',
    'tomatoes',
    'seedlings',
  ]);
  expect(await ids(filter, 'bob', 'v5')).toEqual(listed);
  expect(await ids('targetType=user&targetId=erin')).toEqual(['over-the-fence']);
});

test('applies every filter', async () => {
  expect(await ids(`${GARDENERS}&dataTypes[]=image&dataTypes[]=poll&matchingOnlyParentPost=false`)).toEqual([
    'crop-poll-1',
    'tomatoes-2',
    'tomatoes-1',
  ]);
  expect(await ids(`${GARDENERS}&dataTypes[]=image`)).toEqual([]);
  expect(await ids(`${GARDENERS}&tags[]=news`)).toEqual(['seedlings']);
  expect(await ids(`${GARDENERS}&hasFlag=true`, 'alice')).toEqual(['miracle-fertiliser']);
  expect(await ids(`${GARDENERS}&hasFlag=true`)).toEqual([]);
  expect(await ids(`${GARDENERS}&isDeleted=true`, 'alice')).toEqual(['salt-on-slugs']);
  expect(await ids(`${GARDENERS}&isDeleted=true`)).toEqual([]);
  expect((await ids(`${GARDENERS}&sortBy=firstCreated`))[0]).toBe('seedlings');
});

test('lists posts in review for their authors and for moderators', async () => {
  const reviewing = 'targetType=community&targetId=orchard-keepers&feedType=reviewing';
  expect(await ids(reviewing, 'grace')).toEqual(['which-rootstock']);
  expect(await ids(reviewing, 'frank')).toEqual(['which-rootstock']);
  expect(await ids(reviewing, 'carol')).toEqual([]);
  expect(await ids(reviewing.replace('reviewing', 'declined'), 'carol')).toEqual(['cider-for-sale']);
});

test('answers 404 for targets that are absent, private or banned the caller', async () => {
  for (const [query, as] of [
    ['targetType=community&targetId=none', 'bob'],
    ['targetType=community&targetId=orchard-keepers', 'bob'],
    ['targetType=community&targetId=gardeners', 'dave'],
    ['targetType=user&targetId=nobody', 'bob'],
  ]) {
    expect(await gateway.rest(`/api/v4/posts?${query}`, { as: as! }), query).toMatchObject({
      status: 404,
      body: { code: 400400 },
    });
  }
});

test('enforces the bounds and types of parameters', async () => {
  const list = (name: string, count: number, value: string) =>
    Array.from({ length: count }, () => `${name}[]=${value}`).join('&');
  expect(await ids(`${GARDENERS}&${list('tags', 5, 'x'.repeat(24))}`)).toEqual([]);
  const bad = [
    '',
    'targetType=community',
    'targetType=planet&targetId=x',
    'targetType[$ne]=x&targetId=x',
    `${GARDENERS}&feedType=secret`,
    `${GARDENERS}&tags[]=${'x'.repeat(25)}`,
  ];
  bad.push(
    `${GARDENERS}&${list('tags', 6, 'x')}`,
    `${GARDENERS}&tags[$in]=x`,
    `${GARDENERS}&sortBy=best`,
    `${GARDENERS}&matchingOnlyParentPost=perhaps`,
    'targetType=community&targetId=',
  );
  for (const query of bad)
    expect(await gateway.rest(`/api/v4/posts?${query}`), query).toMatchObject({ status: 422, body: { code: 500000 } });
});

test('returns posts by ids in the requested order, without hidden ones, decoding ids encoded twice', async () => {
  const { status, body } = await gateway.rest(
    '/api/v3/posts/list?postIds[]=potting&postIds[]=grafting&postIds[]=see%2564lings&postIds[]=none&postIds[]=potting',
    { as: 'bob' },
  );
  expect(status).toBe(200);
  expect(body.posts.map((post: { postId: string }) => post.postId)).toEqual(['potting', 'seedlings']);
  checkAnswer(body, { arrays: POST_ARRAYS });
  const many = (count: number) => Array.from({ length: count }, (_, index) => `postIds=${index}`).join('&');
  expect((await gateway.rest(`/api/v3/posts/list?${many(100)}`)).status).toBe(200);
  for (const query of [many(101), '', 'postIds[$gt]=', 'postIds[]='])
    expect((await gateway.rest(`/api/v3/posts/list?${query}`)).status, query).toBe(422);
});
