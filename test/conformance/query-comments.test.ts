import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { checkAnswer } from '../support/interface.ts';

const ARRAYS = ['comments', 'commentChildren', 'communityUsers', 'users', 'roles', 'files'];
const PATH = '/api/v3/comments';
const TOMATOES = `${PATH}?referenceType=post&referenceId=tomatoes`;
const SEEDLINGS = `${PATH}?referenceType=post&referenceId=seedlings`;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestNetwork();
});
afterAll(() => gateway.close());

const idsOf = (body: { comments: Array<{ commentId: string }> }) => body.comments.map((comment) => comment.commentId);
const segmentsOf = (body: { comments: Array<{ segmentNumber: number }> }) =>
  body.comments.map((comment) => comment.segmentNumber);
async function ids(query: string, as = 'alice'): Promise<string[]> {
  const { status, body } = await gateway.rest(query, { as });
  expect(status).toBe(200);
  checkAnswer(body, { arrays: ARRAYS });
  return idsOf(body);
}
async function segments(options: string): Promise<number[]> {
  const { status, body } = await gateway.rest(`${SEEDLINGS}&${options}`);
  expect(status, options).toBe(200);
  return segmentsOf(body);
}

test('returns comments with every array, field and resolvable reference', async () => {
  const { status, body } = await gateway.rest(TOMATOES);
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual([...ARRAYS, 'paging']);
  expect(idsOf(body)).toEqual(['tomatoes-carol', 'tomatoes-ivan', 'tomatoes-alice']);
  expect(body.commentChildren.map((reply: { commentId: string }) => reply.commentId)).toEqual([
    'tomatoes-carol-bob',
    'tomatoes-carol-bob-carol',
  ]);
  expect(body.roles.map((role: { roleId: string }) => role.roleId).sort()).toEqual(['community-moderator', 'member']);
  for (const { children } of [...body.comments, ...body.commentChildren]) {
    for (const child of children)
      expect(body.commentChildren).toContainEqual(expect.objectContaining({ commentId: child }));
  }
  for (const array of ARRAYS) expect(body[array], array).not.toHaveLength(0);
  checkAnswer(body, { arrays: ARRAYS });
});

test('omits parentId of top-level comments, and sends it with replies', async () => {
  const { body } = await gateway.rest(TOMATOES);
  for (const one of body.comments) expect(Object.keys(one)).not.toContain('parentId');
  for (const one of body.commentChildren) expect(one.parentId).toEqual(expect.any(String));
});

describe('filters', () => {
  test('lists comments of posts, stories and content; of a post by default; none of unknown content', async () => {
    expect(await ids(`${PATH}?referenceType=story&referenceId=morning-dew`)).toEqual(['dew-kim', 'dew-ivan']);
    expect(await ids(`${PATH}?referenceId=over-the-fence`)).toEqual(['fence-alice']);
    expect(await ids(`${PATH}?referenceType=content&referenceId=elsewhere`)).toEqual([]);
  });

  test('filterByParentId and parentId select top-level comments, replies, or both', async () => {
    const direct = ['tomatoes-carol-bob', 'tomatoes-carol-dave'];
    expect(await ids(`${TOMATOES}&parentId=tomatoes-carol`)).toEqual(direct);
    expect(await ids(`${PATH}?parentId=tomatoes-carol`)).toEqual(direct);
    expect(await ids(`${TOMATOES}&filterByParentId=false`)).toHaveLength(6);
    expect(await ids(`${TOMATOES}&filterByParentId=false&parentId=tomatoes-carol`)).toHaveLength(6);
    expect(await ids(`${TOMATOES}&parentId=no-such-comment`)).toEqual([]);
  });

  test('isDeleted: absent and null match both; only moderators see deleted content', async () => {
    const all = `${TOMATOES}&filterByParentId=false`;
    expect(await ids(`${all}&isDeleted=null`)).toHaveLength(6);
    expect(await ids(`${all}&isDeleted=false`)).not.toContain('tomatoes-carol-dave');
    expect(await ids(`${all}&isDeleted=true`)).toEqual(['tomatoes-carol-dave']);
    const dataFor = async (as: string) => (await gateway.rest(`${all}&isDeleted=true`, { as })).body.comments[0].data;
    expect(await dataFor('alice')).toHaveProperty('text');
    expect(await dataFor('bob')).toEqual({});
  });

  test('hasFlag: true matches flagged comments, false all', async () => {
    const { body } = await gateway.rest(`${PATH}?hasFlag=true&filterByParentId=false&options[limit]=100`);
    expect(body.comments.length).toBeGreaterThan(0);
    for (const comment of body.comments) expect(comment.flagCount).toBeGreaterThan(0);
    expect(await ids(`${TOMATOES}&hasFlag=false`)).toEqual(await ids(TOMATOES));
  });

  test('dataTypes: matches any of the values or exactly all, in every array spelling', async () => {
    expect(await ids(`${TOMATOES}&dataTypes[values][]=image`)).toEqual(['tomatoes-carol']);
    expect(await ids(`${TOMATOES}&dataTypes[values][0]=image&dataTypes[values][1]=text`)).toHaveLength(3);
    expect(await ids(`${TOMATOES}&dataTypes[values]=text&dataTypes[matchType]=exact`)).toEqual([
      'tomatoes-ivan',
      'tomatoes-alice',
    ]);
    const both = 'dataTypes[values][]=text&dataTypes[values][]=image&dataTypes[values][]=text';
    expect(await ids(`${TOMATOES}&${both}&dataTypes[matchType]=exact`)).toEqual(['tomatoes-carol']);
    expect(await ids(`${TOMATOES}&dataTypes[values][]=constructor`)).toEqual([]);
  });

  test('lists every comment visible to the caller without a reference', async () => {
    const query = `${PATH}?filterByParentId=false&options[limit]=100`;
    expect(await ids(query, 'grace')).toContain('grafting-grace');
    const seenByErin = await ids(query, 'erin');
    expect(seenByErin).toContain('tomatoes-carol');
    expect(seenByErin).not.toContain('grafting-grace');
  });
});

describe('order and pages', () => {
  test('scrollable (the default) follows segment numbers by first/after, last/before or limit', async () => {
    expect(await segments('options[first]=2')).toEqual([1, 2]);
    expect(await segments('options[first]=2&options[after]=3')).toEqual([4, 5]);
    expect(await segments('options[last]=2')).toEqual([9, 10]);
    expect(await segments('options[type]=scrollable&options[last]=2&options[before]=9')).toEqual([7, 8]);
    expect(await segments('options[before]=3')).toEqual([1, 2]);
    expect(await segments('options[after]=10')).toEqual([]);
    expect(await segments('options[limit]=3&options[pageSize]=3')).toEqual([1, 2, 3]);
    expect(await segments('options[first]=2&sortBy=lastCreated')).toEqual([1, 2]);
  });

  test('a page that starts at a segment number names no page beyond it, and the pages on its other side', async () => {
    const read = async (options: string) => (await gateway.rest(`${SEEDLINGS}&filterByParentId=false&${options}`)).body;
    const before = await read('options[last]=3&options[before]=9');
    expect([segmentsOf(before), Object.keys(before.paging)]).toEqual([[6, 7, 8], ['previous']]);
    const earlier = await read(`options[token]=${encodeURIComponent(before.paging.previous)}`);
    expect([segmentsOf(earlier), Object.keys(earlier.paging).sort()]).toEqual([
      [3, 4, 5],
      ['next', 'previous'],
    ]);
    const after = await read('sortBy=firstCreated&options[first]=3&options[after]=5');
    expect([segmentsOf(after), Object.keys(after.paging)]).toEqual([[6, 7, 8], ['next']]);
  });

  test('pagination follows sortBy, last created first by default', async () => {
    const page = (sortBy: string) => segments(`options[type]=pagination&options[limit]=3${sortBy}`);
    expect(await page('')).toEqual([10, 9, 8]);
    expect(await page('&sortBy=lastCreated')).toEqual([10, 9, 8]);
    expect(await page('&sortBy=firstCreated')).toEqual([1, 2, 3]);
    const updated = async (sortBy: string): Promise<string[]> => {
      const { body } = await gateway.rest(
        `${TOMATOES}&filterByParentId=false&options[type]=pagination&sortBy=${sortBy}`,
      );
      return body.comments.map((comment: { updatedAt: string }) => comment.updatedAt);
    };
    const ascending = await updated('firstUpdated');
    expect(ascending).toEqual([...ascending].sort());
    expect(await updated('lastUpdated')).toEqual([...ascending].sort().reverse());
    expect(await segments('options[type]=pagination&options[limit]=2&options[skip]=3')).toEqual([7, 6]);
  });

  test.each([
    'options[limit]=4',
    'options[type]=pagination&options[limit]=4&sortBy=lastCreated',
    'options[type]=pagination&options[limit]=4&sortBy=lastUpdated',
  ])('tokens page through %s in both directions without gaps, as clients request the second page', async (first) => {
    const seen: number[] = [];
    let { body } = await gateway.rest(`${SEEDLINGS}&${first}`);
    const firstPage = segmentsOf(body);
    for (let pages = 0; pages < 5; pages += 1) {
      seen.push(...segmentsOf(body));
      if (!body.paging.next) break;
      const token = encodeURIComponent(body.paging.next);
      ({ body } = await gateway.rest(`${SEEDLINGS}&options[type]=pagination&options[token]=${token}`));
    }
    expect([...seen].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(segmentsOf(body)).toHaveLength(2);
    while (body.paging.previous) {
      const token = encodeURIComponent(body.paging.previous);
      ({ body } = await gateway.rest(`${SEEDLINGS}&options[type]=pagination&options[token]=${token}`));
    }
    expect(segmentsOf(body)).toEqual(firstPage);
  });

  test('accepts tokens that clients construct, rejects crafted ones', async () => {
    const token = (value: unknown) => encodeURIComponent(Buffer.from(JSON.stringify(value)).toString('base64'));
    const ask = (value: string) => gateway.rest(`${SEEDLINGS}&options[type]=pagination&options[token]=${value}`);
    expect(segmentsOf((await ask(token({ skip: 2, limit: 2 }))).body)).toEqual([8, 7]);
    for (const bad of [
      'nonsense',
      token([]),
      token({ skip: -1 }),
      token({ limit: 101 }),
      token({ after: { $gt: '' } }),
      token({ after: 'x' }),
    ]) {
      expect((await ask(bad)).status, bad).toBe(400);
    }
    expect((await ask('x'.repeat(1_001))).status).toBe(422);
  });
});

test('rejects parameters out of bounds or of a wrong type with 422 and names them', async () => {
  const bad = [
    `referenceId=${'x'.repeat(901)}`,
    'referenceId[$ne]=null',
    'referenceType=message',
    'referenceType[$ne]=x',
    `parentId=${'x'.repeat(901)}`,
    'parentId[$gt]=',
    'filterByParentId=maybe',
    'hasFlag=maybe',
    'isDeleted[$ne]=true',
    'sortBy=newest',
    'sortBy[$gt]=',
    'options=5',
    'options[type]=other',
    'options[limit]=0',
    'options[limit]=101',
    'options[limit][$gt]=1',
    'options[first]=101',
    'options[last]=0',
    'options[after]=-1',
    'options[after]=2147483648',
    'options[before]=999999999999999',
    'options[skip]=101&options[type]=pagination',
    'options[token][$ne]=x',
    'options[first]=1&options[last]=1',
    'dataTypes=text',
    'dataTypes[values][0][$ne]=x',
    'dataTypes[matchType]=all&dataTypes[values][]=text',
  ];
  for (const query of bad) {
    const answer = await gateway.rest(`${PATH}?${query}`);
    expect([answer.status, answer.body.code], query).toEqual([422, 500000]);
    expect(answer.body.data.detail.length, query).toBeGreaterThan(0);
  }
  expect(
    (await gateway.rest(`${SEEDLINGS}&options[limit]=100&options[type]=pagination&options[skip]=100`)).status,
  ).toBe(200);
  expect((await gateway.rest(`${PATH}?referenceId=${'x'.repeat(900)}`)).status).toBe(404);
});

test('answers 404 for absent and invisible references', async () => {
  const absent = await gateway.rest(`${PATH}?referenceId=no-such-post`, { as: 'erin' });
  expect(absent).toMatchObject({ status: 404, body: { status: 'error', code: 400400 } });
  const forbidden = await gateway.rest(`${PATH}?referenceId=grafting`, { as: 'erin' });
  expect([forbidden.status, forbidden.body]).toEqual([absent.status, absent.body]);
  expect((await gateway.rest(TOMATOES, { as: 'dave' })).status).toBe(404);
  expect((await gateway.rest(`${PATH}?parentId=grafting-grace`, { as: 'erin' })).status).toBe(404);
});

test('checks an X-API-Key if there is one', async () => {
  const ask = async (key: string) => (await gateway.rest(TOMATOES, { headers: { 'x-api-key': key } })).status;
  expect(await ask(gateway.keys.API_KEY)).toBe(200);
  expect(await ask('another-key')).toBe(401);
  expect((await gateway.rest(TOMATOES, { as: null, headers: { 'x-api-key': gateway.keys.API_KEY } })).status).toBe(401);
});

describe('a list that is continued with previous', () => {
  type Token = { after: string; first: number; limit: number };
  const decode = (token: string): Token => JSON.parse(Buffer.from(token, 'base64').toString());
  const encode = (token: object) => Buffer.from(JSON.stringify(token)).toString('base64');

  /** Reads a whole list by `paging.previous`, as a published client does. */
  async function walk(first: string, rewrite: (token: string) => string): Promise<number[]> {
    const seen: number[] = [];
    let query = first;
    for (;;) {
      const { status, body } = await gateway.rest(`${SEEDLINGS}&${query}`);
      expect([status, body.message]).toEqual([200, undefined]);
      seen.push(...segmentsOf(body));
      const { previous } = body.paging;
      if (previous === undefined) return seen;
      query = `options[token]=${encodeURIComponent(rewrite(previous))}`;
    }
  }

  test.each([
    ['as the server sent it', (token: string) => token],
    ['rebuilt with its position and a limit', (token: string) => encode({ after: decode(token).after, limit: 4 })],
    ['rebuilt with its position as skip', (token: string) => encode({ skip: decode(token).after, limit: 4 })],
    ['rebuilt with its position as skip alone', (token: string) => encode({ skip: decode(token).after })],
  ])('lists every comment once, with the token %s', async (_, rewrite) => {
    const all = await segments('options[limit]=100');
    expect(all.length).toBeGreaterThan(8);
    expect(await walk('options[limit]=4', rewrite)).toEqual(all);
  });

  test('is a list without sortBy that is read forward', async () => {
    const pagingOf = async (options: string) => (await gateway.rest(`${SEEDLINGS}&${options}`)).body.paging;
    expect(await pagingOf('options[type]=pagination&options[limit]=4')).not.toHaveProperty('previous');
    expect(await pagingOf('sortBy=lastCreated&options[limit]=4')).not.toHaveProperty('previous');
    expect(await pagingOf('options[limit]=100')).toEqual({});
    const { previous } = await pagingOf('options[last]=4');
    expect(JSON.parse(Buffer.from(previous, 'base64').toString())).toHaveProperty('before');
  });
});
