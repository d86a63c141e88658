import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { checkAnswer } from '../support/interface.ts';
import { expectRefusal, INVALID, NOT_FOUND } from '../support/refusals.ts';

const COMMUNITY = ['communities', 'communityUsers', 'files', 'users', 'categories', 'feeds', 'joinRequests'];
const COMMENT = ['comments', 'commentChildren', 'communityUsers', 'users', 'roles', 'files'];
const STORY = ['stories', 'comments', 'files', 'users', 'communities', 'communityUsers', 'categories'];

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestNetwork();
});
afterAll(() => gateway.close());

type Row = Record<string, unknown>;
async function read(path: string, arrays: string[], as = 'alice'): Promise<Record<string, Row[]>> {
  const { status, body } = await gateway.rest(path, { as });
  expect(status, path).toBe(200);
  checkAnswer(body, { arrays });
  return body;
}
const idsIn = (rows: Row[] | undefined, field: string) => (rows ?? []).map((row) => row[field]);

describe('communities', () => {
  const ids = async (query: string, as?: string) =>
    idsIn((await read(`/api/v3/communities?${query}`, COMMUNITY, as)).communities, 'communityId');

  test('filters by membership, name, category and tags, in every order', async () => {
    expect(await ids('')).toEqual(['harvest-fair', 'gardeners']);
    expect(await ids('', 'grace')).toEqual(['harvest-fair', 'orchard-keepers', 'gardeners']);
    expect(await ids('filter=member', 'grace')).toEqual(['orchard-keepers', 'gardeners']);
    expect(await ids('filter=notMember', 'grace')).toEqual(['harvest-fair']);
    expect(await ids('sortBy=displayName', 'grace')).toEqual(['harvest-fair', 'orchard-keepers', 'gardeners']);
    expect(await ids('sortBy=firstCreated')).toEqual(['gardeners', 'harvest-fair']);
    expect(await ids('categoryId=vegetables')).toEqual(['gardeners']);
    expect(await ids('tags[]=beginners&tags[]=none')).toEqual(['gardeners']);
    expect(await ids('isDeleted=true', 'admin')).toEqual(['potato-club']);
    expect(await ids('isDeleted=true')).toEqual([]);
  });

  test('treats a keyword as text, never as a pattern', async () => {
    expect(await ids('keyword=GARD&sortBy=displayName')).toEqual(['gardeners']);
    expect(await ids('keyword=')).toEqual(['harvest-fair', 'gardeners']);
    for (const keyword of ['.*', '^The', '(', '[', '\\', '$', '(a+)%2B$', 'The.Gardeners', '%00', '%F0%9F%8C%B1']) {
      expect(await ids(`keyword=${keyword}`), keyword).toEqual(keyword === '%00' ? ['harvest-fair', 'gardeners'] : []);
    }
  });

  test('returns one or several by ids, without invisible ones', async () => {
    const one = await read('/api/v3/communities/orchard-keepers', COMMUNITY, 'carol');
    expect(one.joinRequests).toMatchObject([{ status: 'approved', requestorPublicId: 'carol' }]);
    expect(one.communityUsers).toMatchObject([{ userId: 'carol' }]);
    const query = 'communityIds[]=gardeners&communityIds[]=orchard-keepers&communityIds[]=harvest%252Dfair';
    const some = await read(`/api/v3/communities/list?${query}`, COMMUNITY, 'erin');
    expect(idsIn(some.communities, 'communityId')).toEqual(['gardeners', 'harvest-fair']);
    await expectRefusal(gateway, '/api/v3/communities/orchard-keepers', { as: 'erin' }, NOT_FOUND);
  });

  test('filters members by membership, role and name', async () => {
    const arrays = ['communityUsers', 'communities', 'users', 'files', 'categories', 'feeds', 'joinRequests', 'roles'];
    const members = async (query: string) =>
      idsIn((await read(`/api/v3/communities/gardeners/users?${query}`, arrays)).communityUsers, 'userId');
    expect(await members('options[limit]=3')).toEqual(['alice', 'bob', 'carol']);
    expect(await members('memberships[]=banned')).toEqual(['dave']);
    expect(await members('memberships[]=banned&memberships[]=member&sortBy=displayName&options[limit]=5')).toEqual([
      'alice',
      'bob',
      'carol',
      'dave',
      'frank',
    ]);
    expect(await members('roles[]=community-moderator')).toEqual(['alice']);
    expect(await members('search=b&sortBy=displayName')).toEqual(
      ['bob', 'frank', 'heidi', 'leo'].filter((id) => id !== 'frank'),
    );
    await expectRefusal(gateway, '/api/v3/communities/orchard-keepers/users', { as: 'erin' }, NOT_FOUND);
    await expectRefusal(gateway, '/api/v3/communities/gardeners/users?memberships[]=some', {}, INVALID);
  });

  test('lists categories; deleted ones only for users who may delete them', async () => {
    const categories = async (query: string, as?: string) =>
      idsIn(
        (await read(`/api/v3/community-categories?${query}`, ['categories', 'files'], as)).categories,
        'categoryId',
      );
    expect(await categories('')).toEqual(['flowers', 'vegetables']);
    expect(await categories('', 'admin')).toEqual(['flowers', 'lawns', 'vegetables']);
    expect(await categories('isDeleted=false&sortBy=firstCreated', 'admin')).toEqual(['vegetables', 'flowers']);
    await read('/api/v3/community-categories/flowers', ['categories', 'files']);
    await expectRefusal(gateway, '/api/v3/community-categories/lawns', {}, NOT_FOUND);
  });
});

describe('comments and stories', () => {
  test('returns comments by id with their thread, without those of invisible records', async () => {
    const one = await read('/api/v3/comments/tomatoes-carol', COMMENT);
    expect(one.commentChildren).toHaveLength(2);
    const query = 'commentIds[]=grafting-grace&commentIds[]=seedlings-bob&commentIds[]=none';
    expect(idsIn((await read(`/api/v3/comments/list?${query}`, COMMENT, 'erin')).comments, 'commentId')).toEqual([
      'seedlings-bob',
    ]);
    await expectRefusal(gateway, '/api/v3/comments/grafting-grace', { as: 'erin' }, NOT_FOUND);
    await expectRefusal(gateway, '/api/v3/comments/list', {}, INVALID);
  });

  test('lists the unexpired stories of a target, newest first by default', async () => {
    const stories = async (query: string, as?: string) =>
      idsIn((await read(`/api/v4/stories?${query}`, STORY, as)).stories, 'storyId');
    const gardeners = 'targetType=community&targetId=gardeners';
    expect(await stories(gardeners)).toEqual(['first-shoots', 'morning-dew']);
    expect(await stories(`${gardeners}&options[sortBy]=createdAt&options[orderBy]=asc`)).toEqual([
      'morning-dew',
      'first-shoots',
    ]);
    expect(await stories(gardeners, 'dave')).toEqual([]);
    expect(await stories('targetType=user&targetId=erin')).toEqual(['window-box']);
    await expectRefusal(gateway, '/api/v4/stories?targetType=community', {}, INVALID);
  });

  test('returns one story with its linked records; expired and deleted ones for authorized users', async () => {
    const dew = await read('/api/v4/stories/morning-dew', STORY);
    expect(dew.stories).toMatchObject([{ creatorPublicId: 'alice', mentionedUsers: [{ userIds: ['carol'] }] }]);
    expect(idsIn(dew.comments, 'commentId')).toEqual(['dew-kim', 'dew-ivan']);
    await read('/api/v4/stories/first-shoots', STORY);
    await read('/api/v4/stories/last-autumn', STORY, 'alice');
    await expectRefusal(gateway, '/api/v4/stories/last-autumn', { as: 'bob' }, NOT_FOUND);
    await expectRefusal(gateway, '/api/v4/stories/thumb-on-the-lens', { as: 'carol' }, NOT_FOUND);
    await expectRefusal(gateway, '/api/v4/stories/first-blossom', { as: 'erin' }, NOT_FOUND);
  });
});

describe('users and roles', () => {
  test('lists users by name and in every order; deleted accounts for users who may edit users', async () => {
    const users = async (query: string, as?: string) =>
      idsIn((await read(`/api/v3/users?${query}`, ['users', 'files'], as)).users, 'userId');
    expect(await users('options[limit]=3')).toEqual(['admin', 'alice', 'bob']);
    expect(await users('keyword=moor')).toEqual(['alice']);
    expect(await users('sortBy=lastCreated&isDeleted=false&options[limit]=2')).toEqual(['mallory', 'seedshop']);
    expect(await users('isDeleted=true', 'admin')).toEqual(['oscar']);
    expect(await users('isDeleted=true')).toEqual([]);
    for (const user of (await read('/api/v3/users?filter=flagged', ['users', 'files'])).users!) {
      expect(user.flagCount).toBeGreaterThan(0);
    }
    await read('/api/v3/users/bob', ['users', 'files']);
    expect(
      idsIn((await read('/api/v3/users/list?userIds[]=bob&userIds[]=oscar', ['users', 'files'])).users, 'userId'),
    ).toEqual(['bob']);
    await expectRefusal(gateway, '/api/v3/users/oscar', {}, NOT_FOUND);
    await expectRefusal(gateway, '/api/v3/users?sortBy=password', {}, INVALID);
  });

  test('lists roles; deleted ones only for users who may edit them', async () => {
    const roles = async (query: string, as?: string) =>
      idsIn((await read(`/api/v3/roles?${query}`, ['roles'], as)).roles, 'roleId');
    expect(await roles('keyword=librarian')).toEqual(['seed-librarian']);
    expect(await roles('options[limit]=100')).not.toContain('night-watch');
    expect(await roles('sortBy=lastCreated', 'admin')).toContain('night-watch');
    expect((await gateway.rest('/api/v3/roles/member')).body).toMatchObject([{ roleId: 'member' }]);
    await expectRefusal(gateway, '/api/v3/roles/night-watch', {}, NOT_FOUND);
  });
});
