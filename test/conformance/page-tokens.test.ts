import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { printOpenApi } from '../../rest-compat/openapi.ts';
import type { Route } from '../../rest-compat/route.ts';
import { ROUTES } from '../../rest-compat/routes.ts';
import { schema } from '../../schema/index.ts';
import { routeName } from '../support/calls.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { CALLS, readSampleIds } from '../support/sample-calls.ts';

let gateway: TestGateway;
let ids: Awaited<ReturnType<typeof readSampleIds>>;
beforeAll(async () => {
  gateway = await startTestGateway();
  ids = await readSampleIds(gateway);
  await fillShortLists();
});
afterAll(() => gateway.close());

/** Adds records to lists that have at most one in the sample network. */
async function fillShortLists(): Promise<void> {
  const write = async (as: string, path: string, body: object = {}) =>
    expect([path, (await gateway.rest(path, { as, method: 'POST', body })).status]).toEqual([path, 200]);
  for (const text of ['One', 'Two', 'Three']) {
    await write('alice', '/api/v4/posts', { targetType: 'user', targetId: 'alice', data: { text } });
  }
  const seen = ['post compost', 'story morning-dew'].map((one) => one.split(' '));
  const activities = seen.map(([contentType, contentId]) => ({ contentType, contentId, activityType: 'view' }));
  for (const as of ['bob', 'carol', 'frank']) await write(as, '/api/v1/analytics/activities', { activities });
  for (const userId of ['heidi', 'mia']) await write('alice', `/api/v4/me/user-blocks/${userId}`);
  for (const one of ['alice', 'bob']) {
    for (const other of ['frank', 'judy', 'leo']) {
      await write(one, `/api/v4/me/following/${other}`);
      await write(other, `/api/v4/me/following/${one}`);
    }
  }
  for (const text of ['#seedlings one', '#seedlings two']) {
    await write('bob', '/api/v4/posts', { targetType: 'user', targetId: 'bob', data: { text } });
  }
  for (const displayName of ['Rose garden', 'Rock garden'])
    await write('carol', '/api/v3/communities', { displayName });
  for (const displayName of ['First', 'Second']) {
    const body = { displayName, isPublic: false, isDiscoverable: true, requiresJoinApproval: true };
    const { communities } = (await gateway.rest('/api/v3/communities', { as: 'bob', method: 'POST', body })).body;
    await write('carol', `/api/v4/communities/${communities[0].communityId}/join`);
  }
}

interface Parameter {
  name: string;
  in: string;
  description?: string;
  schema: {
    type?: string | string[];
    enum?: string[];
    anyOf?: Parameter['schema'][];
    items?: Parameter['schema'];
    properties?: object;
  };
}

const { paths } = JSON.parse(JSON.stringify(printOpenApi(schema, ROUTES))) as {
  paths: { [path: string]: { [method: string]: { parameters?: Parameter[] } } };
};

/** Lists without pages: all requested records are in one answer. */
const UNPAGED = new Set(['channels', 'message-feeds', 'messages'].map((name) => `GET /api/v1/markers/${name}`));
const LISTS = ROUTES.filter((route) => route.paging && !UNPAGED.has(routeName(route)));

/** The array with the records of the page, unless it is the first one. */
const PAGED: { [route: string]: string } = {
  'GET /api/v3/channels/:channelId/users': 'channelUsers',
  'GET /api/v4/channels/:channelId/users': 'channelUsers',
  'GET /api/v3/communities/:communityId/users': 'communityUsers',
  'GET /api/v5/message-feeds/channel/:channelId': 'messageFeeds',
  'GET /api/v5/messages': 'messages',
  'GET /api/v1/markers/messages/:messageId/read-users': 'users',
  'GET /api/v1/markers/messages/:messageId/delivered-users': 'users',
  'GET /api/v3/reactions': 'reactions',
};

/** Parameters that a list needs, so that no other parameter is ignored. */
const ORDERED: { [route: string]: string } = { 'GET /api/v3/comments': 'options[type]=pagination' };

/** The values to test for a parameter: those of its enum, both booleans, or a text. */
function valuesOf({ name, schema }: Parameter): string[] {
  const alternatives = schema.anyOf ?? [schema];
  const item = alternatives.find((one) => one.type === 'array')?.items ?? alternatives[0]!;
  if (item.enum) return name.includes('sortBy') ? item.enum : item.enum.slice(0, 2);
  if (alternatives.some(({ type }) => [type].flat().includes('boolean'))) return ['true', 'false'];
  return item.type === 'string' ? ['a', 'e'] : [];
}

function filterParametersOf(route: Route): Parameter[] {
  const parameters = paths[route.path.replace(/:(\w+)/g, '{$1}')]!.get!.parameters ?? [];
  return (
    parameters
      .filter((parameter) => parameter.in === 'query' && parameter.name !== 'token' && parameter.name !== 'limit')
      // Parameters without an effect select no other list.
      .filter(({ description = '' }) => !/^(Accepted and i|I)gnored\b/.test(description))
      .flatMap((parameter) =>
        parameter.name === 'options'
          ? Object.entries(parameter.schema.properties as { [name: string]: Parameter['schema'] })
              .filter(([name]) => name === 'sortBy' || name === 'orderBy')
              .map(([name, schema]) => ({ name: `options[${name}]`, in: 'query', schema }))
          : [parameter],
      )
  );
}

function read(route: Route, path: string, query: string) {
  const { as = 'alice' } = CALLS[routeName(route)]!(ids);
  return gateway.rest(query ? `${path}?${query}` : path, { as });
}

async function page(route: Route, path: string, query: string) {
  const { status, body } = await read(route, path, query);
  expect([status, body.data?.detail, query]).toEqual([200, undefined, query]);
  const data = body.status === 'success' ? body.data : body;
  const array = PAGED[routeName(route)] ?? route.arrays[0]!;
  const records = (array === 'reactions' ? (data.reactions[0]?.reactors ?? []) : data[array]) as object[];
  return { records: records.map(keyOf), paging: data.paging as { next?: string; previous?: string } };
}

const keyOf = (record: object): string =>
  Object.entries(record)
    .filter(([name]) => /(^|[a-z])Id$|^(from|to)$/.test(name))
    .join();

const placed = (route: Route, name: 'limit' | 'token', value: string | number) => {
  const parameters = paths[route.path.replace(/:(\w+)/g, '{$1}')]!.get!.parameters!;
  const spelled = parameters.some((parameter) => parameter.name === name) ? name : `options[${name}]`;
  return `${spelled}=${encodeURIComponent(value)}`;
};

const given = ({ name, schema }: Parameter, value: string) =>
  `${name}${schema.anyOf?.some(({ type }) => type === 'array') && !name.endsWith('[]') ? '[]' : ''}=${encodeURIComponent(value)}`;

describe.each(LISTS.map((route) => [routeName(route), route] as const))('%s', (name, route) => {
  const sample = () => {
    const [path, query = ''] = CALLS[name]!(ids).path.split('?') as [string, string?];
    return { path, query };
  };

  test('a page token alone continues the list with all its parameters', async () => {
    const { path, query } = sample();
    const queries = [
      '',
      ...filterParametersOf(route).flatMap((one) => valuesOf(one).map((value) => given(one, value))),
    ];
    let walked = 0;
    for (const shape of queries) {
      const own = shape.split('=')[0]!;
      const first = [...query.split('&').filter((part) => part && part.split('=')[0] !== own), shape].filter(Boolean);
      const longest = [...first, placed(route, 'limit', 100)].join('&');
      if ((await read(route, path, longest)).status !== 200) continue;
      const all = (await page(route, path, longest)).records;
      if (shape === '') expect(all.length).toBeGreaterThan(1);
      const size = Math.max(1, Math.ceil(all.length / 3));
      const seen: string[] = [];
      let next: string | undefined;
      let search = [...first, placed(route, 'limit', size)].join('&');
      do {
        const { records, paging } = await page(route, path, search);
        seen.push(...records);
        next = paging.next;
        if (next !== undefined) expect(next.length).toBeLessThanOrEqual(900);
        search = next === undefined ? '' : placed(route, 'token', next);
        walked += 1;
      } while (next !== undefined && seen.length < 300);
      expect([shape, ...new Set(seen)]).toEqual([shape, ...all]);
    }
    expect(walked).toBeGreaterThan(queries.length / 3);
  });

  test('rejects a parameter that contradicts the page token and names it', async () => {
    if (filterParametersOf(route).length === 0) return;
    const { path, query } = sample();
    const { paging } = await page(
      route,
      path,
      [query, ORDERED[name], placed(route, 'limit', 1)].filter(Boolean).join('&'),
    );
    expect(paging.next).toBeTypeOf('string');
    const token = placed(route, 'token', paging.next!);
    for (const parameter of filterParametersOf(route)) {
      let refused = 0;
      for (const value of [...valuesOf(parameter), ...(parameter.schema.enum ? [] : ['other'])]) {
        const { status, body } = await read(route, path, `${token}&${given(parameter, value)}`);
        const plain = parameter.name.replace(/\[(\w+)\]/, '.$1').replace('[]', '');
        if (status === 400) {
          expect(body).toMatchObject({ code: 400000, data: { detail: [expect.stringMatching(`^${plain}: `)] } });
          refused += 1;
        }
      }
      if (valuesOf(parameter).length > 1) expect([parameter.name, refused > 0]).toEqual([parameter.name, true]);
    }
  });
});

describe('page tokens', () => {
  const ROLES = '/api/v3/roles';
  const tokenOf = (value: object) => encodeURIComponent(Buffer.from(JSON.stringify(value)).toString('base64'));
  const decoded = (token: string) => JSON.parse(Buffer.from(token, 'base64').toString()) as { [key: string]: unknown };

  test('continue their list when a client constructs a token from the position alone', async () => {
    const all = await gateway.rest(`${ROLES}?sortBy=lastCreated`);
    const first = await gateway.rest(`${ROLES}?sortBy=lastCreated&options[limit]=1`);
    const token = decoded(first.body.paging.next);
    expect(token).toMatchObject({ first: 1, limit: 1 });
    for (const own of [
      { skip: token.after, limit: 2 },
      { skip: token.after, first: 2 },
      { after: token.after, limit: 2 },
    ]) {
      const { body } = await gateway.rest(`${ROLES}?options[token]=${tokenOf(own)}`);
      expect(body.roles).toEqual(all.body.roles.slice(1, 3));
    }
  });

  test('keep the page size', async () => {
    const all = (await gateway.rest(ROLES)).body.roles;
    const next = encodeURIComponent((await gateway.rest(`${ROLES}?options[limit]=1`)).body.paging.next);
    for (const query of [`options[token]=${next}`, `options[limit]=3&options[token]=${next}`]) {
      expect((await gateway.rest(`${ROLES}?${query}`)).body.roles).toEqual(all.slice(1, 2));
    }
  });

  test.each([
    ['/api/v3/channels', 'types[]=community&types[]=live', 'types[]=live&types[]=community&types[]=live'],
    ['/api/v3/channels', '', 'filter=all&sortBy=lastActivity&isDeleted='],
    ['/api/v3/communities', '', 'filter=all&sortBy=lastCreated&isDeleted=&keyword='],
    ['/api/v3/communities/gardeners/users', '', 'memberships[]=member&sortBy=firstCreated'],
    [
      '/api/v3/communities/gardeners/users',
      'memberships[]=member&memberships[]=banned',
      'memberships[]=banned&memberships[]=member',
    ],
    ['/api/v3/channels/gardeners-chat/users', '', 'filter=all&sortBy=lastCreated&isDeleted='],
    ['/api/v4/channels/gardeners-chat/users', '', 'memberships[]=member&sortBy=lastCreated'],
    ['/api/v3/comments', 'referenceType=post&referenceId=tomatoes', 'sortBy=lastCreated&options[type]=pagination'],
    [
      '/api/v3/comments',
      'referenceType=post&referenceId=tomatoes&options[type]=pagination',
      'sortBy=lastCreated&isDeleted=&hasFlag=false&filterByParentId=true&options[type]=scrollable',
    ],
    [
      '/api/v3/comments',
      'referenceType=post&referenceId=tomatoes&dataTypes[values][]=text&dataTypes[values][]=image',
      'dataTypes[values][]=image&dataTypes[values][]=text&dataTypes[matchType]=any',
    ],
    ['/api/v4/posts', 'targetType=community&targetId=gardeners', 'sortBy=lastCreated&targetId=gardeners'],
  ])('%s: fit the list of "%s" when its parameters are written "%s"', async (path, first, later) => {
    const { paging } = (await gateway.rest(`${path}?${first}&options[limit]=1`)).body;
    expect(paging.next).toBeTypeOf('string');
    const token = `options[token]=${encodeURIComponent(paging.next)}`;
    const alone = await gateway.rest(`${path}?${token}`);
    const repeated = await gateway.rest(`${path}?${token}&${later}`);
    expect([repeated.status, repeated.body.data?.detail]).toEqual([200, undefined]);
    expect(repeated.body).toEqual(alone.body);
  });

  test('are rejected when they belong to another list or the previous version, or are crafted', async () => {
    const other = (await gateway.rest('/api/v3/community-categories?options[limit]=1')).body.paging.next;
    const own = decoded((await gateway.rest(`${ROLES}?options[limit]=1`)).body.paging.next).after as string;
    const former = Buffer.from(JSON.stringify(['d', 1_700_000_000_000, '0123456789abcdef01234567'])).toString(
      'base64url',
    );
    for (const token of [
      encodeURIComponent(other),
      tokenOf({ after: former, limit: 10 }),
      tokenOf({ after: own.split('?')[0]!.slice(8), limit: 1 }),
      tokenOf({ after: `${own}sortBy=lastCreated`, limit: 1 }),
      tokenOf({ after: `${own}sortBy=neither`, limit: 1 }),
      tokenOf({ after: `${own}sortBy[$ne]=x`, limit: 1 }),
      tokenOf({ after: `${own}__proto__[sortBy]=lastCreated&constructor=x&keyword=x`, limit: 1 }),
      tokenOf({ after: 'x'.repeat(10), limit: 1 }),
    ]) {
      const { status, body } = await gateway.rest(`${ROLES}?options[token]=${token}`);
      expect([token, status, body.code]).toEqual([token, 400, 400000]);
    }
  });

  test('stay within 900 characters; the error names a filter that is too long to carry', async () => {
    const tags = Array.from({ length: 10 }, (_, index) => `${index}${'字'.repeat(60)}`);
    for (const displayName of ['字'.repeat(100), `\u0001${'字'.repeat(99)}`, '\u0002'.repeat(100)]) {
      const body = { displayName, tags };
      expect((await gateway.rest('/api/v3/communities', { method: 'POST', body })).status).toBe(200);
    }
    const filter = `sortBy=displayName&${tags.map((tag) => `tags[]=${encodeURIComponent(tag)}`).join('&')}`;
    const path = '/api/v3/communities';
    const all = (await gateway.rest(`${path}?${filter}`)).body.communities;
    expect(all).toHaveLength(3);
    const names: string[] = [];
    let query = `${filter}&options[limit]=1`;
    for (let pages = 0; pages < 3; pages += 1) {
      const { body } = await gateway.rest(`${path}?${query}`);
      names.push(...body.communities.map((community: { displayName: string }) => community.displayName));
      const { next } = body.paging;
      if (next === undefined) break;
      expect(next.length).toBeLessThanOrEqual(900);
      const token = `options[token]=${encodeURIComponent(next)}`;
      for (const [more, fault] of [
        ['', /^tags: is too long/],
        ['&tags[]=other', /^tags: differs/],
      ] as const) {
        const refused = await gateway.rest(`${path}?${token}${more}`);
        expect([refused.status, refused.body.data.detail[0]]).toEqual([400, expect.stringMatching(fault)]);
      }
      const reversed = tags.toReversed().map((tag) => `tags[]=${encodeURIComponent(tag)}`);
      query = `sortBy=displayName&${reversed.join('&')}&${token}`;
    }
    expect(names).toEqual(all.map((community: { displayName: string }) => community.displayName));
  });
});

describe('cursors of GraphQL connections', () => {
  const read = async (field: string, args: string) => {
    const { data, errors } = await gateway.graphql<
      Record<string, { edges: Array<{ cursor: string; node: { id: string } }> }>
    >(`{ ${field}(${args}) { edges { cursor node { id } } } }`);
    return { edges: data?.[field]?.edges ?? [], code: errors?.[0]?.extensions?.code };
  };

  test('are rejected with another order, filter, field or record', async () => {
    const first = (await read('contentFeed', 'first: 2, sortBy: FIRST_CREATED')).edges[1]!.cursor;
    const after = `first: 2, after: "${first}"`;
    expect((await read('contentFeed', `${after}, sortBy: FIRST_CREATED`)).edges).toHaveLength(2);
    for (const [field, args] of [
      ['contentFeed', after],
      ['contentFeed', `${after}, sortBy: LAST_CREATED`],
      ['contentFeed', `${after}, sortBy: FIRST_UPDATED`],
      ['contentFeed', `${after}, sortBy: FIRST_CREATED, dataTypes: ["text"]`],
      ['contentFeed', `${after}, sortBy: FIRST_CREATED, hasFlag: false`],
      ['globalFeed', after],
      ['communities', after],
    ] as const) {
      expect([field, args, await read(field, args)]).toEqual([field, args, { edges: [], code: 'BAD_REQUEST' }]);
    }
    const members = (communityId: string, args: string) =>
      gateway.graphql(`{ community(communityId: "${communityId}") { members(${args}) { pageInfo { endCursor } } } }`);
    const { data } = await members('gardeners', 'first: 1');
    const { endCursor } = (data as { community: { members: { pageInfo: { endCursor: string } } } }).community.members
      .pageInfo;
    expect((await members('gardeners', `first: 1, after: "${endCursor}"`)).errors).toBeUndefined();
    const { communities } = (await gateway.rest('/api/v3/communities')).body as {
      communities: Array<{ communityId: string }>;
    };
    const other = communities.find(({ communityId }) => communityId !== 'gardeners')!.communityId;
    expect((await members(other, `first: 1, after: "${endCursor}"`)).errors?.[0]?.extensions?.code).toBe('BAD_REQUEST');
  });

  test('are accepted however the arguments of their list are spelled', async () => {
    const cursor = (await read('contentFeed', 'first: 1')).edges[0]!.cursor;
    const spelled = `hasFlag: null, sortBy: LAST_CREATED, isDeleted: false, last: 1, before: "${cursor}"`;
    expect((await read('contentFeed', spelled)).code).toBeUndefined();
  });
});
