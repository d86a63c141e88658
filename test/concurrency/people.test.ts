import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { findInconsistencies } from '../support/consistency.ts';
import { signIn } from '../support/gateway.ts';
import { MANY, startTwoGateways, type TwoGateways } from '../support/two-gateways.ts';

let two: TwoGateways;
beforeAll(async () => {
  two = await startTwoGateways();
}, 240_000);
afterAll(() => two.close());

const tokens = new Map<string, string>();

interface Refusal {
  extensions: { code: string };
}

/** Executes a mutation, through the second gateway for odd indexes: the two share no in-process locks. */
async function call(as: string, index: number, operation: string, input: object, select: string) {
  const type = `${operation.charAt(0).toUpperCase()}${operation.slice(1)}`;
  const query = `mutation ($input: ${type}Input!) { answer: ${operation}(input: $input) {
    __typename ... on ${type}Payload { ${select} } ... on OperationError { code } } }`;
  const known = tokens.get(as) ?? (await signIn(two.first, as));
  tokens.set(as, known);
  const response = await fetch(`${two.urls[index % 2]}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${known}` },
    body: JSON.stringify({ query, variables: { input } }),
  });
  const body = (await response.json()) as { data: { answer: Record<string, unknown> }; errors?: Refusal[] };
  // The session may end before the request is authenticated.
  if (body.errors?.[0]?.extensions.code === 'UNAUTHORIZED') return { code: 'UNAUTHORIZED' };
  expect(body.errors).toBeUndefined();
  return body.data.answer;
}

const people = Array.from({ length: MANY }, (_, index) => `person-${index}`);
const counts = 'community { communityId membersCount moderatorMemberCount }';

async function createCommunity(input: object = {}): Promise<string> {
  const created = await call('alice', 0, 'createCommunity', { displayName: 'Crowd', ...input }, counts);
  return (created.community as { communityId: string }).communityId;
}

const stored = (communityId: string) =>
  two.store.collections.communities.findOne({ networkId: 'default', communityId });

async function expectConsistent(): Promise<void> {
  expect(await findInconsistencies(two.store.db)).toEqual([]);
}

/** The user ids in all events of a type for a community, sorted, with repetitions. */
async function userIdsInEvents(type: string, communityId: string): Promise<string[]> {
  const events = await two.store.collections.events.find({ networkId: 'default', type }).toArray();
  const here = events.map(({ data }) => data).filter((data) => data.communityId === communityId);
  return here.flatMap(({ userIds }) => userIds as string[]).sort();
}

test('concurrent joins, some repeated, and leaves take effect once per user, with one event each', async () => {
  const communityId = await createCommunity();
  for (const person of people) tokens.set(person, await signIn(two.first, person));
  const joining = [...people, ...people.slice(0, 20)];
  const joined = await Promise.all(
    joining.map((as, index) => call(as, index, 'joinCommunity', { communityId }, counts)),
  );
  expect(new Set(joined.map(({ __typename }) => __typename))).toEqual(new Set(['JoinCommunityPayload']));
  expect((await stored(communityId))!.membersCount).toBe(MANY + 1);
  expect(await userIdsInEvents('community.joined', communityId)).toEqual([...people].sort());
  await expectConsistent();
  await Promise.all(people.map((as, index) => call(as, index, 'leaveCommunity', { communityId }, counts)));
  expect((await stored(communityId))!.membersCount).toBe(1);
  expect(await userIdsInEvents('community.left', communityId)).toEqual([...people].sort());
  expect(await userIdsInEvents('community.userChanged', communityId)).toEqual([...people, ...people].sort());
  await expectConsistent();
}, 240_000);

test('one moderator remains when all leave or demote themselves concurrently', async () => {
  const moderators = people.slice(0, 20);
  const communityId = await createCommunity({ userIds: people.slice(0, 40) });
  const roleIds = ['community-moderator'];
  await call('alice', 0, 'addCommunityRoles', { communityId, roleIds, userIds: moderators }, counts);
  const ends = await Promise.all(
    [...moderators, 'alice'].map((as, index) =>
      index % 3 === 0
        ? call(as, index, 'leaveCommunity', { communityId }, counts)
        : call(as, index, 'removeCommunityRoles', { communityId, roleIds, userIds: [as] }, counts),
    ),
  );
  expect(ends.filter(({ code }) => code === 'LAST_MODERATOR')).toHaveLength(1);
  expect((await stored(communityId))!.moderatorMemberCount).toBe(1);
  await expectConsistent();
}, 240_000);

test('concurrent bans, additions and departures leave exact counts', async () => {
  const some = people.slice(0, 30);
  const communityId = await createCommunity({ userIds: some });
  await Promise.all(
    some.flatMap((person, index) => [
      call('alice', index, 'banCommunityMembers', { communityId, userIds: [person] }, counts),
      call(person, index + 1, 'leaveCommunity', { communityId }, counts),
      call('alice', index, 'addCommunityMembers', { communityId, userIds: [people[index + 30] ?? person] }, counts),
    ]),
  );
  await expectConsistent();
}, 240_000);

test('concurrent join requests of one user create one request, which is answered once', async () => {
  const communityId = await createCommunity({ requiresJoinApproval: true });
  const requested = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      call('person-0', index, 'joinCommunity', { communityId }, 'joinRequest { joinRequestId }'),
    ),
  );
  expect(new Set(requested.map((one) => JSON.stringify(one.joinRequest))).size).toBe(1);
  const answer = { communityId, userId: 'person-0' };
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      call('alice', index, index % 2 ? 'approveJoinRequest' : 'rejectJoinRequest', answer, 'joinRequest { status }'),
    ),
  );
  expect(answers.filter(({ __typename }) => __typename !== 'OperationError')).toHaveLength(1);
  await expectConsistent();
}, 240_000);

test('concurrent flags, unflags and clears of one user leave an exact count', async () => {
  const input = { userId: 'kim' };
  await Promise.all([
    ...people.map((as, index) => call(as, index, 'flagUser', input, 'user { flagCount }')),
    ...people.slice(0, 20).map((as, index) => call(as, index + 1, 'unflagUser', input, 'user { flagCount }')),
    call('admin', 0, 'clearUserFlags', input, 'user { flagCount }'),
  ]);
  await expectConsistent();
}, 240_000);

test('sessions created during a ban or a change of roles are revoked or have the new roles', async () => {
  const { keys, services } = two.first;
  const sign = async (userId: string, index: number) => {
    const response = await fetch(`${two.urls[index % 2]}/api/v5/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': keys.API_KEY },
      body: JSON.stringify({ userId, deviceId: `${userId}-${index}` }),
    });
    return response.status;
  };
  const some = Array.from({ length: 10 }, (_, index) => index);
  await Promise.all([
    ...some.map((index) => sign('leo', index)),
    call('admin', 1, 'banUser', { userId: 'leo' }, 'user { isGlobalBan }'),
    ...some.map((index) => sign('mia', index)),
    call('admin', 0, 'addUserRoles', { userId: 'mia', roleIds: ['moderator'] }, 'user { roles }'),
  ]);
  const { sessions } = services.store.collections;
  expect(await sessions.find({ networkId: 'default', userId: 'leo', revokedAt: null }).toArray()).toEqual([]);
  const left = await sessions.find({ networkId: 'default', userId: 'mia', revokedAt: null }).toArray();
  for (const session of left) expect(session.roles).toEqual(['moderator']);
  await expectConsistent();
}, 240_000);

test('a user who is renamed while joining has one name, and one who is deleted has no membership', async () => {
  const places = await Promise.all([1, 2, 3].map(() => createCommunity()));
  const [renamed, gone] = people.slice(-2) as [string, string];
  await Promise.all([
    ...places.flatMap((communityId, index) => [
      call(renamed, index, 'joinCommunity', { communityId }, counts),
      call('alice', index, 'addCommunityMembers', { communityId, userIds: [gone] }, counts),
    ]),
    call(renamed, 1, 'updateUser', { displayName: 'Renamed' }, 'user { displayName }'),
    call(gone, 0, 'deleteUser', {}, 'user { isDeleted }'),
  ]);
  const { communityUsers } = two.store.collections;
  const memberships = await communityUsers.find({ networkId: 'default', userId: gone }).toArray();
  expect(memberships.filter(({ communityMembership }) => communityMembership === 'member')).toEqual([]);
  await expectConsistent();
}, 240_000);

const FOLLOW = 'follow { status }';
const setPrivacy = (userPrivacySetting: 'PUBLIC' | 'PRIVATE') =>
  call('admin', 0, 'updateSocialSettings', { userPrivacySetting }, 'settings { social }');

test('follows, answers, departures and blocks at the same time leave exact counts', async () => {
  const fans = people.slice(0, 20);
  for (const fan of [...fans, 'kim']) tokens.set(fan, await signIn(two.first, fan));
  onTestFinished(async () => void (await setPrivacy('PUBLIC')));
  for (const privacy of ['PUBLIC', 'PRIVATE'] as const) {
    await setPrivacy(privacy);
    await Promise.all([
      ...fans.flatMap((fan, index) => [
        call(fan, index, 'followUser', { userId: 'kim' }, FOLLOW),
        call(fan, index + 1, 'followUser', { userId: 'kim' }, FOLLOW),
        call('kim', index, 'followUser', { userId: fan }, FOLLOW),
        call('kim', index, 'acceptFollower', { userId: fan }, FOLLOW),
        ...(index % 3 === 0 ? [call(fan, index, 'unfollowUser', { userId: 'kim' }, FOLLOW)] : []),
        ...(index % 4 === 0 ? [call('kim', index + 1, 'removeFollower', { userId: fan }, FOLLOW)] : []),
        ...(index % 5 === 0 ? [call(fan, index, 'blockUser', { userId: 'kim' }, 'user { userId }')] : []),
      ]),
    ]);
    const { follows } = two.store.collections;
    const blocking = fans.filter((_, index) => index % 5 === 0);
    expect(
      await follows.countDocuments({ networkId: 'default', userId: { $in: blocking }, followedUserId: 'kim' }),
    ).toBe(0);
    expect(
      await follows.countDocuments({ networkId: 'default', userId: 'kim', followedUserId: { $in: blocking } }),
    ).toBe(0);
    await expectConsistent();
    for (const fan of blocking) await call(fan, 0, 'unblockUser', { userId: 'kim' }, 'user { userId }');
  }
}, 240_000);

test('users who are deleted while they are followed and follow leave no follow and exact counts', async () => {
  const leaving = Array.from({ length: 8 }, (_, index) => `leaving-${index}`);
  for (const userId of leaving) tokens.set(userId, await signIn(two.first, userId));
  await Promise.all(
    leaving.flatMap((userId, index) => [
      call('kim', index, 'followUser', { userId }, FOLLOW),
      call(userId, index, 'followUser', { userId: 'kim' }, FOLLOW),
      call(userId, index + 1, 'followUser', { userId: leaving[(index + 1) % leaving.length] }, FOLLOW),
      call(userId, index, 'deleteUser', {}, 'user { isDeleted }'),
    ]),
  );
  const ofLeaving = { $in: leaving };
  const left = { networkId: 'default', $or: [{ userId: ofLeaving }, { followedUserId: ofLeaving }] };
  expect(await two.store.collections.follows.find(left).toArray()).toEqual([]);
  await expectConsistent();
}, 240_000);

test('one moderator remains when two ban each other concurrently', async () => {
  const three = ['alice', 'person-1', 'person-2'];
  for (let round = 0; round < 5; round += 1) {
    const communityId = await createCommunity({ userIds: three.slice(1) });
    const roles = { communityId, roleIds: ['community-moderator'], userIds: three };
    await call('alice', 0, 'addCommunityRoles', roles, 'members { userId }');
    const ban = (as: string, other: string, index: number) =>
      call(as, index, 'banCommunityMembers', { communityId, userIds: [other] }, counts);
    const answers = await Promise.all([ban('person-1', 'person-2', 0), ban('person-2', 'person-1', 1)]);
    expect(answers.map(({ code }) => code ?? 'done').sort()).toEqual(['BANNED', 'done']);
  }
  await expectConsistent();
});

test('no user joins a community without approval once it requires approval', async () => {
  const communityId = await createCommunity();
  const [, ...joined] = await Promise.all([
    call('alice', 0, 'updateCommunity', { communityId, requiresJoinApproval: true }, 'community { communityId }'),
    ...people.slice(0, 20).map((as, index) => call(as, index, 'joinCommunity', { communityId }, 'member { userId }')),
  ]);
  expect(joined.every(({ code, member }) => code === 'CONFLICT' || code === undefined || member === null)).toBe(true);
  const late = await call('person-25', 1, 'joinCommunity', { communityId }, 'member { userId } joinRequest { status }');
  expect(late).toMatchObject({ member: null, joinRequest: { status: 'PENDING' } });
  await expectConsistent();
});

test('one administrator remains when two ban each other concurrently', async () => {
  const collections = two.store.collections;
  const admins = ['person-5', 'person-6'];
  for (let round = 0; round < 5; round += 1) {
    await collections.users.updateMany(
      { networkId: 'default', userId: { $in: admins } },
      { $set: { isGlobalBan: false, roles: [] } },
    );
    for (const userId of admins) {
      tokens.delete(userId);
      tokens.set(userId, await signIn(two.first, userId));
      const roles = { userId, roleIds: ['global-admin'] };
      await call('admin', 0, 'addUserRoles', roles, 'user { userId }');
    }
    const ban = (as: string, userId: string, index: number) =>
      call(as, index, 'banUser', { userId }, 'user { userId }');
    const answers = await Promise.all([ban('person-5', 'person-6', 0), ban('person-6', 'person-5', 1)]);
    const [refused, done] = answers.map(({ code }) => code ?? 'done').sort();
    expect(['PERMISSION_DENIED', 'UNAUTHORIZED']).toContain(refused);
    expect(done).toBe('done');
  }
});
