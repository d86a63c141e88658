import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { mutations, type Payload } from '../support/mutate.ts';

/** `kim` creates communities; `mia` is in none. */
let gateway: TestGateway;
const mutate = mutations(() => gateway);
const create = async (displayName: string, fields: object = {}): Promise<string> =>
  (await mutate('kim', 'createCommunity', { displayName, ...fields }, 'community { communityId }')).community
    .communityId;
const post = async (targetId: string): Promise<string> => {
  const input = { targetType: 'COMMUNITY', targetId, data: { text: 'Hi' } };
  return (await mutate('kim', 'createPost', input, 'post { postId }')).post.postId;
};
const read = async (list: 'recommended' | 'top-trending', { as = 'mia', query = '' } = {}): Promise<Payload> => {
  const { status, body } = await gateway.rest(`/api/v3/communities/${list}?options[limit]=100${query}`, { as });
  expect(status).toBe(200);
  return body;
};
const idsIn = (body: Payload): string[] => body.communities.map(({ communityId }: Payload) => communityId);
const DISCOVERABLE = { query: '&includeDiscoverablePrivateCommunity=true' };

beforeAll(async () => {
  gateway = await openTestNetwork();
  for (const as of ['kim', 'leo', 'mia']) await gateway.tokenOf(as);
});
afterAll(() => gateway.close());

describe('trending communities', () => {
  test('are those with the most recent posts, comments and reactions', async () => {
    const [quiet, talked, busy] = [await create('Quiet'), await create('Talked about'), await create('Busy')];
    for (let posts = 0; posts < 60; posts += 1) await post(busy);
    const postId = await post(talked);
    for (let comments = 0; comments < 3; comments += 1)
      await mutate('kim', 'createComment', { referenceId: postId, data: { text: 'Hi' } }, 'comment { commentId }');
    const shown = idsIn(await read('top-trending')).filter((id) => [quiet, talked, busy].includes(id));
    expect(shown).toEqual([busy, talked, quiet]);
    expect(idsIn(await read('top-trending'))[0]).toBe(busy);
  });

  test('have pages without gaps and repetitions', async () => {
    const all = idsIn(await read('top-trending'));
    const paged: string[] = [];
    let path = '/api/v3/communities/top-trending?options[limit]=2';
    for (;;) {
      const { body } = await gateway.rest(path, { as: 'mia' });
      paged.push(...idsIn(body));
      if (!body.paging.next) break;
      path = `/api/v3/communities/top-trending?options[token]=${body.paging.next}`;
    }
    expect(paged).toEqual(all);
    expect(new Set(all).size).toBe(all.length);
  });

  test('contain no deleted community, and none that the user cannot see', async () => {
    const [gone, secret] = [await create('Gone'), await create('Secret', { isPublic: false })];
    for (const id of [gone, secret]) await post(id);
    await mutate('kim', 'deleteCommunity', { communityId: gone }, 'community { communityId }');
    for (const id of [gone, secret]) expect(idsIn(await read('top-trending'))).not.toContain(id);
    expect(idsIn(await read('top-trending', { as: 'kim' }))).toContain(secret);
  });
});

describe('recommended communities', () => {
  test('are those with the most members that the user can join', async () => {
    const [small, large] = [await create('Small'), await create('Large', { userIds: ['leo'] })];
    const banned = await create('Banned', { userIds: ['mia'] });
    await mutate('kim', 'banCommunityMembers', { communityId: banned, userIds: ['mia'] }, '__typename');
    const shown = idsIn(await read('recommended')).filter((id) => [small, large, banned].includes(id));
    expect(shown).toEqual([large, small]);
    await mutate('mia', 'joinCommunity', { communityId: large }, '__typename');
    expect(idsIn(await read('recommended'))).not.toContain(large);
  });
});

describe.each(['recommended', 'top-trending'] as const)('%s communities', (list) => {
  test('include private ones that can be found, if the client requests them', async () => {
    const found = await create('Can be found', { isPublic: false, isDiscoverable: true });
    // The default is for clients that do not know the field.
    const hidden = [
      await create('Cannot be found', { isPublic: false, isDiscoverable: false }),
      await create('Is private', { isPublic: false }),
      await create('Becomes private'),
    ];
    await mutate('kim', 'updateCommunity', { communityId: hidden[2], isPublic: false }, '__typename');
    expect(idsIn(await read(list))).not.toContain(found);
    const { communities, ...others } = await read(list, DISCOVERABLE);
    expect(idsIn({ communities })).toContain(found);
    for (const id of hidden) expect(idsIn({ communities })).not.toContain(id);
    // Only the record is shown, not what is inside.
    expect(others.communityUsers.filter(({ communityId }: Payload) => communityId === found)).toEqual([]);
    expect((await gateway.rest(`/api/v3/communities/${found}/users`, { as: 'mia' })).status).toBe(404);
    await mutate('kim', 'addCommunityMembers', { communityId: found, userIds: ['mia'] }, '__typename');
    await mutate('kim', 'banCommunityMembers', { communityId: found, userIds: ['mia'] }, '__typename');
    expect(idsIn(await read(list, DISCOVERABLE))).not.toContain(found);
    await mutate('kim', 'updateCommunity', { communityId: hidden[2], isDiscoverable: true }, '__typename');
    expect(idsIn(await read(list, DISCOVERABLE))).toContain(hidden[2]);
  });
});
