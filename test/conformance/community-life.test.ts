import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectConsistent } from '../support/consistency.ts';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';

let gateway: TestGateway;
const mutate = mutations(() => gateway);
beforeAll(async () => {
  gateway = await openTestNetwork();
});
afterAll(async () => {
  await expectConsistent(gateway);
  await gateway.close();
});

const COMMUNITY = 'communityId channelId displayName description isPublic membersCount moderatorMemberCount';
const MEMBERS = 'members { userId communityMembership roles permissions isBanned notMemberReason }';

async function make(as: string, input: object = {}) {
  const created = await mutate(
    as,
    'createCommunity',
    { displayName: 'Bees', ...input },
    `community { ${COMMUNITY} } ${MEMBERS}`,
  );
  expect(created.__typename).toBe('CreateCommunityPayload');
  return created as { community: { communityId: string; channelId: string }; members: Array<{ userId: string }> };
}

const chat = async (channelId: string) => {
  const { channels, channelUsers, messageFeeds } = gateway.services.store.collections;
  const members = await channelUsers.find({ networkId: gateway.networkId, channelId }).toArray();
  return {
    channel: (await channels.findOne({ networkId: gateway.networkId, channelId }))!,
    feeds: await messageFeeds.find({ networkId: gateway.networkId, channelId }).toArray(),
    standing: Object.fromEntries(members.map(({ userId, membership }) => [userId, membership])),
  };
};

describe('the lifecycle of a community', () => {
  test('the creator is moderator, the listed users are members, and its channel and feeds exist', async () => {
    const created = await make('alice', {
      description: 'Hives',
      userIds: ['bob', 'carol', 'alice'],
      categoryIds: ['flowers'],
      tags: ['bees', 'bees'],
      metadata: { $set: { 'a.b': 1 } },
      isPublic: false,
    });
    expect(created.community).toMatchObject({
      description: 'Hives',
      isPublic: false,
      membersCount: 3,
      moderatorMemberCount: 1,
    });
    expect(created.members.map(({ userId }) => userId).sort()).toEqual(['alice', 'bob', 'carol']);
    const { communityId, channelId } = created.community;
    const { data } = await gateway.graphql(
      `{ community(communityId: "${communityId}") { tags metadata categories { edges { node { categoryId } } }
        publishedFeed { postCount } viewerCanEdit viewerCanDelete viewerCanJoin viewerCanAssignRoles } }`,
    );
    expect(data.community).toEqual({
      tags: ['bees'],
      metadata: { $set: { 'a.b': 1 } },
      categories: { edges: [{ node: { categoryId: 'flowers' } }] },
      publishedFeed: { postCount: 0 },
      viewerCanEdit: true,
      viewerCanDelete: true,
      viewerCanJoin: false,
      viewerCanAssignRoles: true,
    });
    const { channel, feeds, standing } = await chat(channelId);
    expect(channel).toMatchObject({ type: 'community', communityId, isPublic: false, memberCount: 3 });
    expect(feeds.map((feed) => [feed.messageFeedId, feed.isDefault])).toEqual([[channel.defaultMessageFeedId, true]]);
    expect(standing).toEqual({ alice: 'member', bob: 'member', carol: 'member' });
  });

  test('an update sets fields, keeps absent ones, clears null ones and renames the channel', async () => {
    const { communityId, channelId } = (await make('alice', { description: 'Hives', tags: ['a'] })).community;
    const path = `/api/v3/communities/${communityId}`;
    const { status, body } = await gateway.rest(path, {
      method: 'PUT',
      body: { displayName: 'Wasps', description: null },
    });
    expect(status).toBe(200);
    expect(body.communities[0]).toMatchObject({ displayName: 'Wasps', description: '', tags: ['a'] });
    expect((await chat(channelId)).channel.displayName).toBe('Wasps');
  });

  test('a deleted community is hidden from its members, with its channel; its moderators can still read its record', async () => {
    const { communityId, channelId } = (await make('alice', { userIds: ['bob'] })).community;
    const path = `/api/v3/communities/${communityId}`;
    expect((await gateway.rest(path, { as: 'bob', method: 'DELETE' })).body.code).toBe(400301);
    const { status, body } = await gateway.rest(path, { method: 'DELETE' });
    expect([status, body.communities[0].isDeleted]).toEqual([200, true]);
    expect((await gateway.rest(path, { as: 'bob' })).status).toBe(404);
    const read = await gateway.rest(path);
    expect([read.status, read.body.communities[0].isDeleted]).toEqual([200, true]);
    const mine = (await gateway.rest('/api/v3/communities?filter=member&options[limit]=100')).body.communities;
    expect(mine.map((one: { communityId: string }) => one.communityId)).not.toContain(communityId);
    expect((await gateway.rest(`/api/v5/posts?targetType=community&targetId=${communityId}`)).status).toBe(404);
    expect((await gateway.rest(path, { method: 'DELETE' })).status).toBe(404);
    const { channel, feeds } = await chat(channelId);
    expect([channel.isDeleted, feeds.every((feed) => feed.isDeleted)]).toEqual([true, true]);
  });

  test('lists of communities are filtered by flagged content', async () => {
    type Listed = { communityId: string; hasFlaggedPost: boolean; hasFlaggedComment: boolean };
    const list = async (query: string): Promise<Listed[]> =>
      (await gateway.rest(`/api/v3/communities?options[limit]=100${query}`)).body.communities;
    const all = await list('');
    const isFlagged = (one: Listed) => one.hasFlaggedPost || one.hasFlaggedComment;
    expect(all.some(isFlagged) && !all.every(isFlagged)).toBe(true);
    expect(await list('&hasFlag=')).toEqual(all);
    for (const query of ['', '&sortBy=displayName', '&keyword=garden']) {
      const unfiltered = await list(query);
      expect(await list(`${query}&hasFlag=true`)).toEqual(unfiltered.filter(isFlagged));
      expect(await list(`${query}&hasFlag=false`)).toEqual(unfiltered.filter((one) => !isFlagged(one)));
    }
    const first = await gateway.rest('/api/v3/communities?hasFlag=false&sortBy=displayName&options[limit]=1');
    const next = `options[token]=${encodeURIComponent(first.body.paging.next)}`;
    const { body } = await gateway.rest(`/api/v3/communities?${next}`);
    expect(body.communities[0]).toMatchObject({ hasFlaggedPost: false, hasFlaggedComment: false });
    expect((await gateway.rest(`/api/v3/communities?hasFlag=true&${next}`)).body.code).toBe(400_000);
    expect((await gateway.rest('/api/v3/communities?hasFlag=maybe')).body.code).toBe(500_000);
  });

  test('rejects invalid values and names the field', async () => {
    const faults: Array<[input: object, code: string, path: string]> = [
      [{ displayName: '' }, 'INVALID_PARAMETERS', 'displayName'],
      [{ displayName: 'x'.repeat(101) }, 'INVALID_PARAMETERS', 'displayName'],
      [{ description: 'x'.repeat(1_001) }, 'INVALID_PARAMETERS', 'description'],
      [{ displayName: '\ud800' }, 'INVALID_PARAMETERS', 'displayName'],
      [{ categoryIds: ['none'] }, 'NOT_FOUND', 'categoryIds'],
      [{ userIds: ['nobody-at-all'] }, 'NOT_FOUND', 'userIds'],
      [{ userIds: ['oscar'] }, 'NOT_FOUND', 'userIds'],
      [{ avatarFileId: 'avatar-bob' }, 'NOT_FOUND', 'avatarFileId'],
    ];
    for (const [input, code, path] of faults) {
      const answer = await mutate(
        'alice',
        'createCommunity',
        { displayName: 'Bees', ...input },
        'community { communityId }',
      );
      expect([answer.code, answer.path?.[0]], JSON.stringify(input).slice(0, 80)).toEqual([code, path]);
    }
  });
});

describe('members', () => {
  test('join an open community immediately, leave it and rejoin', async () => {
    const { communityId, channelId } = (await make('alice')).community;
    const path = `/api/v3/communities/${communityId}`;
    const joined = await gateway.rest(`${path}/join`, { as: 'bob', method: 'POST' });
    expect(joined.body.communities[0]).toMatchObject({ membersCount: 2, isJoined: true });
    expect(joined.body.communityUsers).toMatchObject([{ userId: 'bob', communityMembership: 'member' }]);
    expect(joined.body.joinRequests).toEqual([]);
    const { communityUsers, joinRequests } = (
      await gateway.rest(`/api/v4/communities/${communityId}/join`, { as: 'bob', method: 'POST' })
    ).body;
    // Clients read from the request whether they joined, also where none was needed.
    expect(joinRequests).toMatchObject([
      { status: 'approved', targetId: communityId, requestorPublicId: 'bob', joinRequestId: expect.any(String) },
    ]);
    expect(joinRequests[0].requestorInternalId).toBe(communityUsers[0].userInternalId);
    expect((await chat(channelId)).standing).toEqual({ alice: 'member', bob: 'member' });
    const left = await gateway.rest(`${path}/leave`, { as: 'bob', method: 'DELETE' });
    expect(left.body.communities[0]).toMatchObject({ membersCount: 1, isJoined: false });
    expect(left.body.communityUsers).toMatchObject([
      { communityMembership: 'none', notMemberReason: 'left', roles: [] },
    ]);
    expect((await chat(channelId)).standing).toEqual({ alice: 'member', bob: 'none' });
    expect((await gateway.rest(`${path}/join`, { as: 'bob', method: 'POST' })).body.communities[0].membersCount).toBe(
      2,
    );
  });

  test('the last moderator cannot leave while members remain and stays as the only member', async () => {
    const { communityId } = (await make('alice', { userIds: ['bob'] })).community;
    const leave = () => mutate('alice', 'leaveCommunity', { communityId }, 'community { membersCount }');
    expect((await leave()).code).toBe('LAST_MODERATOR');
    await mutate('bob', 'leaveCommunity', { communityId }, 'community { membersCount }');
    expect((await leave()).code).toBe('LAST_MEMBER');
    const path = `/api/v3/communities/${communityId}/leave`;
    expect((await gateway.rest(path, { method: 'DELETE' })).body.code).toBe(400318);
  });

  test('a ban removes membership and roles, also in the channel, and prevents rejoining until it is lifted', async () => {
    const { communityId, channelId } = (await make('alice', { userIds: ['bob', 'carol'] })).community;
    const path = `/api/v3/communities/${communityId}`;
    const body = { userIds: ['bob', 'erin'] };
    const banned = await gateway.rest(`${path}/users/ban`, { method: 'PUT', body });
    expect(banned.body.communities[0].membersCount).toBe(2);
    expect(banned.body.communityUsers.map((one: { isBanned: boolean }) => one.isBanned)).toEqual([true, true, false]);
    expect((await chat(channelId)).standing).toMatchObject({ bob: 'banned', erin: 'banned' });
    expect((await gateway.rest(`${path}/join`, { as: 'bob', method: 'POST' })).body.code).toBe(400304);
    expect((await gateway.rest(`${path}/users`, { method: 'POST', body })).body.code).toBe(400300);
    expect((await gateway.rest(`${path}/users/unban`, { method: 'PUT', body: { userIds: ['carol'] } })).body.code).toBe(
      400316,
    );
    expect((await gateway.rest(`${path}/users/unban`, { method: 'PUT', body })).status).toBe(200);
    expect((await chat(channelId)).standing).toMatchObject({ bob: 'none', erin: 'none' });
    expect((await gateway.rest(`${path}/join`, { as: 'bob', method: 'POST' })).status).toBe(200);
  });

  test('members of higher rank cannot be removed or banned', async () => {
    const { communityId } = (await make('alice', { userIds: ['admin'] })).community;
    const input = { communityId, userIds: ['admin'] };
    expect(await mutate('alice', 'banCommunityMembers', input, 'community { communityId }')).toMatchObject({
      code: 'CANNOT_BAN',
      path: ['userIds'],
    });
    expect((await mutate('alice', 'removeCommunityMembers', input, 'community { communityId }')).code).toBe(
      'FORBIDDEN',
    );
    const path = `/api/v3/communities/${communityId}/users/ban`;
    expect((await gateway.rest(path, { method: 'PUT', body: { userIds: ['admin'] } })).body.code).toBe(400306);
  });

  test('a new community moderator also moderates its channel', async () => {
    const { communityId, channelId } = (await make('alice', { userIds: ['bob'] })).community;
    const change = { communityId, roleIds: ['community-moderator'], userIds: ['bob'] };
    const { channelUsers } = gateway.services.store.collections;
    const bob = async () =>
      (await channelUsers.findOne({ networkId: gateway.networkId, channelId, userId: 'bob' }))!.roles;
    await mutate('alice', 'addCommunityRoles', change, 'members { userId }');
    expect(await bob()).toEqual(['member', 'channel-moderator']);
    await mutate('alice', 'removeCommunityRoles', change, 'members { userId }');
    expect(await bob()).toEqual(['member']);
  });
});

describe('requests to join', () => {
  const request = 'joinRequest { joinRequestId status requestorId responderId }';

  test('are created once where joining needs approval, and approval creates a member', async () => {
    const { communityId } = (await make('alice', { requiresJoinApproval: true })).community;
    const path = `/api/v4/communities/${communityId}/join`;
    const requested = await gateway.rest(path, { as: 'bob', method: 'POST' });
    expect(requested.body).toMatchObject({ joinRequests: [{ status: 'pending', userId: 'bob' }], communityUsers: [] });
    const again = await mutate('bob', 'joinCommunity', { communityId }, `member { userId } ${request}`);
    expect(again).toMatchObject({ member: null, joinRequest: { status: 'PENDING' } });
    expect(again.joinRequest.joinRequestId).toBe(requested.body.joinRequests[0].joinRequestId);
    expect((await gateway.rest(`${path}/me`, { as: 'bob' })).body.joinRequests).toHaveLength(1);
    expect((await gateway.rest(path)).body.joinRequests).toMatchObject([{ userId: 'bob' }]);
    expect((await gateway.rest(path, { as: 'carol' })).body.joinRequests).toEqual([]);
    const approved = await gateway.rest(`${path}/approve`, { method: 'POST', body: { userId: 'bob' } });
    expect(approved.body).toMatchObject({
      joinRequests: [{ status: 'approved', responderId: 'alice' }],
      communityUsers: [{ userId: 'bob', communityMembership: 'member' }],
    });
    expect((await gateway.rest(`${path}/approve`, { method: 'POST', body: { userId: 'bob' } })).status).toBe(404);
  });

  test.each(['approve', 'reject'])('%s accepts the internal id of the requestor', async (answer) => {
    const { communityId } = (await make('alice', { requiresJoinApproval: true })).community;
    const path = `/api/v4/communities/${communityId}/join`;
    const requested = (await gateway.rest(path, { as: 'bob', method: 'POST' })).body.joinRequests[0];
    const body = { userId: requested.requestorInternalId };
    expect((await gateway.rest(`${path}/${answer}`, { method: 'POST', body: { userId: '0'.repeat(24) } })).status).toBe(
      404,
    );
    const answered = await gateway.rest(`${path}/${answer}`, { method: 'POST', body });
    expect([answered.status, answered.body.joinRequests[0].joinRequestId]).toEqual([200, requested.joinRequestId]);
  });

  test('of the viewer can be listed for some communities, with ids that are encoded twice', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { communityId } = (await make('alice', { requiresJoinApproval: true })).community;
      await gateway.rest(`/api/v4/communities/${communityId}/join`, { as: 'carol', method: 'POST' });
      ids.push(communityId);
    }
    const wanted = ids.slice(0, 2);
    const query = wanted.map((one) => `communityIds[]=${encodeURIComponent(encodeURIComponent(one))}`).join('&');
    const { body } = await gateway.rest(`/api/v4/communities/join/requests?${query}`, { as: 'carol' });
    expect(body.joinRequests.map((one: { targetId: string }) => one.targetId).sort()).toEqual(wanted.sort());
  });

  test('reach a discoverable private community; one that is not discoverable is not found', async () => {
    const open = (await make('alice', { isPublic: false, isDiscoverable: true })).community.communityId;
    const select = `community { displayName } member { userId } ${request}`;
    // The record stays hidden until the request is approved, as for every read.
    expect(await mutate('bob', 'joinCommunity', { communityId: open }, select)).toMatchObject({
      community: null,
      member: null,
      joinRequest: { status: 'PENDING' },
    });
    const again = await gateway.rest(`/api/v4/communities/${open}/join`, { as: 'bob', method: 'POST' });
    expect(again.body).toMatchObject({ communities: [], joinRequests: [{ status: 'pending' }] });
    expect((await gateway.rest(`/api/v3/communities/${open}`, { as: 'bob' })).status).toBe(404);
    const hidden = (await make('alice', { isPublic: false, isDiscoverable: false })).community.communityId;
    const absent = await mutate('bob', 'joinCommunity', { communityId: 'absent' }, request);
    expect(await mutate('bob', 'joinCommunity', { communityId: hidden }, request)).toEqual(absent);
  });

  test('can be created again after they were rejected or withdrawn', async () => {
    const { communityId } = (await make('alice', { requiresJoinApproval: true })).community;
    const ask = () => mutate('bob', 'joinCommunity', { communityId }, request);
    await ask();
    const answer = { communityId, userId: 'bob' };
    expect((await mutate('alice', 'rejectJoinRequest', answer, request)).joinRequest.status).toBe('REJECTED');
    expect((await ask()).joinRequest.status).toBe('PENDING');
    expect((await mutate('bob', 'cancelJoinRequest', { communityId }, request)).joinRequest.status).toBe('CANCELLED');
    expect((await mutate('bob', 'cancelJoinRequest', { communityId }, request)).code).toBe('NOT_FOUND');
    expect((await mutate('alice', 'approveJoinRequest', answer, request)).code).toBe('NOT_FOUND');
  });

  test('end when a moderator adds or bans the requestor', async () => {
    const { communityId } = (await make('alice', { requiresJoinApproval: true })).community;
    for (const as of ['bob', 'carol']) await mutate(as, 'joinCommunity', { communityId }, request);
    await mutate('alice', 'addCommunityMembers', { communityId, userIds: ['bob'] }, 'members { userId }');
    await mutate('alice', 'banCommunityMembers', { communityId, userIds: ['carol'] }, 'members { userId }');
    const status = async (as: string) =>
      (
        await gateway.graphql<{ answer: { status: string } }>(
          `{ answer: viewerJoinRequest(communityId: "${communityId}") { status } }`,
          { as },
        )
      ).data.answer.status;
    expect([await status('bob'), await status('carol')]).toEqual(['APPROVED', 'REJECTED']);
  });
});
