import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findInconsistencies } from '../support/consistency.ts';
import { signIn, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';

let gateway: TestGateway;
const mutate = mutations(() => gateway);
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(async () => {
  expect(await findInconsistencies(gateway.services.store.db)).toEqual([]);
  await gateway.close();
});

const USER = 'user { userId displayName description roles permissions isGlobalBan isDeleted flagCount }';
const statusOf = async (token: string) =>
  (await fetch(`${gateway.url}/api/v3/users`, { headers: { authorization: `Bearer ${token}` } })).status;
const signInWithout = (userId: string) =>
  gateway.rest('/api/v5/sessions', {
    as: null,
    method: 'POST',
    headers: { 'x-api-key': gateway.keys.API_KEY },
    body: { userId },
  });

describe('a profile', () => {
  test('is updated by its owner, with the copies of the name in memberships', async () => {
    const body = { userId: 'bob', displayName: 'Bobby', description: 'Pots', createNewUserWhenNotFound: false };
    const { status, body: answer } = await gateway.rest('/api/v3/users/', { as: 'bob', method: 'PUT', body });
    expect(status).toBe(200);
    expect(answer.users[0]).toMatchObject({ userId: 'bob', displayName: 'Bobby', description: 'Pots' });
    const { communityUsers, channelUsers } = gateway.services.store.collections;
    for (const copies of [communityUsers, channelUsers]) {
      const found = await (copies as typeof communityUsers).find({ networkId: 'default', userId: 'bob' }).toArray();
      expect(new Set(found.map(({ displayName }) => displayName))).toEqual(new Set(['Bobby']));
    }
  });

  test('cannot change roles, permissions or bans', async () => {
    const body = {
      userId: 'bob',
      roles: ['global-admin'],
      permissions: ['BAN_USER'],
      isGlobalBan: true,
      isBrand: true,
    };
    const { body: answer } = await gateway.rest('/api/v3/users', { as: 'bob', method: 'PUT', body });
    expect(answer.users[0]).toMatchObject({ roles: [], permissions: [], isGlobalBan: false, isBrand: false });
    const { errors } = await gateway.graphql(
      'mutation { updateUser(input: { roles: ["global-admin"] }) { __typename } }',
      { as: 'bob' },
    );
    expect(errors).toHaveLength(1);
  });

  test('rejects images of others, invalid URLs and long texts', async () => {
    for (const [input, code, path] of [
      [{ avatarFileId: 'avatar-alice' }, 'NOT_FOUND', 'avatarFileId'],
      [{ avatarCustomUrl: 'javascript:alert(1)' }, 'INVALID_PARAMETERS', 'avatarCustomUrl'],
      [{ displayName: '' }, 'INVALID_PARAMETERS', 'displayName'],
      [{ description: 'x'.repeat(1_001) }, 'INVALID_PARAMETERS', 'description'],
    ] as const) {
      expect(await mutate('carol', 'updateUser', input, USER)).toMatchObject({ code, path: [path] });
    }
    expect((await mutate('carol', 'updateUser', { userId: 'bob', description: 'x' }, USER)).code).toBe(
      'PERMISSION_DENIED',
    );
  });
});

describe('flags on a user', () => {
  test('count once per user, are withdrawn and cleared', async () => {
    const path = '/api/v4/me/flags/kim';
    for (const as of ['bob', 'bob', 'carol']) await gateway.rest(path, { as, method: 'POST' });
    const flagged = await gateway.rest('/api/v3/users/kim', { as: 'bob' });
    expect(flagged.body.users[0].flagCount).toBe(2);
    expect((await gateway.rest('/api/v3/users/kim/isflagbyme', { as: 'bob' })).body).toEqual({
      result: true,
      isFlagByMe: true,
    });
    const { body } = await gateway.rest(path, { as: 'bob', method: 'DELETE' });
    expect(body.users[0].flagCount).toBe(1);
    expect((await gateway.rest('/api/v3/users/kim/isflagbyme', { as: 'bob' })).body).toEqual({
      result: false,
      isFlagByMe: false,
    });
    const { users } = gateway.services.store.collections;
    const kim = { networkId: 'default', userId: 'kim' };
    const longAgo = new Date('2020-01-01T00:00:00Z');
    const clear = async () => {
      await users.updateOne(kim, { $set: { updatedAt: longAgo } });
      expect((await mutate('admin', 'clearUserFlags', { userId: 'kim' }, USER)).user.flagCount).toBe(0);
      return (await users.findOne(kim))!.updatedAt;
    };
    expect((await clear()).getTime()).toBeGreaterThan(longAgo.getTime());
    expect(await clear()).toEqual(longAgo);
    expect((await mutate('kim', 'flagUser', { userId: 'kim' }, USER)).code).toBe('PERMISSION_DENIED');
  });
});

describe('a ban from the network', () => {
  test('ends all sessions immediately and prevents new ones until it is lifted', async () => {
    const token = await signIn(gateway, 'leo');
    expect(await statusOf(token)).toBe(200);
    expect((await mutate('admin', 'banUser', { userId: 'leo' }, USER)).user.isGlobalBan).toBe(true);
    expect(await statusOf(token)).toBe(401);
    expect((await signInWithout('leo')).body.code).toBe(400312);
    expect((await mutate('admin', 'unbanUser', { userId: 'leo' }, USER)).user.isGlobalBan).toBe(false);
    expect((await mutate('admin', 'unbanUser', { userId: 'leo' }, USER)).code).toBe('NOT_BANNED');
    expect((await signInWithout('leo')).status).toBe(200);
    expect(await statusOf(token)).toBe(401);
  });
});

describe('roles in the network', () => {
  test('take effect and end immediately in open sessions', async () => {
    const as = 'heidi';
    await gateway.tokenOf(as);
    expect((await mutate(as, 'banUser', { userId: 'mia' }, USER)).code).toBe('PERMISSION_DENIED');
    const roles = { userId: as, roleIds: ['moderator'] };
    expect((await mutate('admin', 'addUserRoles', roles, USER)).user.permissions).toContain('BAN_USER');
    expect((await mutate(as, 'banUser', { userId: 'mia' }, USER)).user.isGlobalBan).toBe(true);
    expect((await mutate(as, 'banUser', { userId: 'admin' }, USER)).code).toBe('CANNOT_BAN');
    expect((await mutate('admin', 'removeUserRoles', roles, USER)).user.roles).toEqual([]);
    expect((await mutate(as, 'unbanUser', { userId: 'mia' }, USER)).code).toBe('PERMISSION_DENIED');
    await mutate('admin', 'unbanUser', { userId: 'mia' }, USER);
  });

  test('are granted to the first admin by the server key', async () => {
    const assign = async (key: string) => {
      const response = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-server-key': key },
        body: JSON.stringify({
          query:
            'mutation { answer: assignNetworkRoles(input: { userId: "judy", roleIds: ["global-admin"] }) { __typename ... on OperationError { code } } }',
        }),
      });
      return ((await response.json()) as { data: { answer: { __typename: string; code?: string } } }).data.answer;
    };
    expect(await assign('wrong')).toEqual({ __typename: 'OperationError', code: 'UNAUTHORIZED' });
    expect(await assign(gateway.keys.SERVER_KEY)).toEqual({ __typename: 'AssignNetworkRolesPayload' });
    expect((await signInWithout('judy')).status).toBe(401);
    expect((await mutate('judy', 'addUserRoles', { userId: 'kim', roleIds: ['member'] }, USER)).user.roles).toEqual([
      'member',
    ]);
  });

  test('are rejected when the role or the user does not exist', async () => {
    const give = (userId: string, roleId: string) =>
      mutate('admin', 'addUserRoles', { userId, roleIds: [roleId] }, USER);
    expect((await give('kim', 'none')).code).toBe('NOT_FOUND');
    expect((await give('kim', 'night-watch')).code).toBe('NOT_FOUND');
    expect((await give('nobody-at-all', 'moderator')).code).toBe('NOT_FOUND');
  });
});

describe('a deleted account', () => {
  test('leaves its communities and channels and ends its sessions', async () => {
    const token = await signIn(gateway, 'grace');
    const { communities, channels } = gateway.services.store.collections;
    const counts = async () => [
      (await communities.findOne({ networkId: 'default', communityId: 'gardeners' }))!.membersCount,
      (await channels.findOne({ networkId: 'default', channelId: 'gardeners-chat' }))!.memberCount,
    ];
    const [members, inChat] = await counts();
    expect((await mutate('bob', 'deleteUser', { userId: 'grace' }, USER)).code).toBe('PERMISSION_DENIED');
    expect((await mutate('grace', 'deleteUser', {}, USER)).user.isDeleted).toBe(true);
    expect(await counts()).toEqual([members! - 1, inChat! - 1]);
    expect(await statusOf(token)).toBe(401);
    expect((await gateway.rest('/api/v3/users/grace', { as: 'bob' })).status).toBe(404);
    expect((await signInWithout('grace')).status).toBe(401);
  });

  test('keeps nothing of its profile, wherever it was copied', async () => {
    const as = 'leaver';
    const secret = 'Leaver-of-Long-Standing';
    const mutateAs = async (who: string, operation: string, input: object, select = '__typename') => {
      const answer = await mutate(who, operation, input, select);
      expect(answer, operation).not.toMatchObject({ __typename: 'OperationError' });
      return answer;
    };
    const profile = { displayName: secret, description: secret, metadata: { note: secret } };
    await mutateAs(as, 'updateUser', { ...profile, avatarCustomUrl: `https://x.example/${secret}` });
    await mutateAs(as, 'joinCommunity', { communityId: 'gardeners' });
    const { post } = await mutateAs(
      as,
      'createPost',
      { targetType: 'COMMUNITY', targetId: 'gardeners', data: { text: 'x' } },
      'post { postId }',
    );
    const mentionees = [{ userIds: [as] }];
    const comment = { referenceType: 'POST', referenceId: post.postId, data: { text: 'y' }, mentionees };
    await mutateAs('bob', 'createComment', comment);
    const { channel } = await mutateAs(
      'bob',
      'createConversation',
      { userIds: [as] },
      'channel { channelId displayName }',
    );
    expect(channel.displayName).toContain(secret);
    const sent = await mutateAs(
      'bob',
      'sendMessage',
      { channelId: channel.channelId, data: { text: 'x' } },
      'chatMessage { messageId }',
    );
    const { messageId } = sent.chatMessage;
    await mutateAs(as, 'addReaction', { referenceType: 'MESSAGE', referenceId: messageId, reactionName: 'like' });

    const reads = [
      `/api/v3/posts/${post.postId}`,
      `/api/v3/comments?referenceType=post&referenceId=${post.postId}`,
      '/api/v3/communities/gardeners/users?options[limit]=100',
      `/api/v3/channels/list?channelIds[]=${encodeURIComponent(channel.channelId)}`,
      `/api/v5/messages/list?messageIds[]=${messageId}`,
      `/api/v3/users?keyword=${secret}`,
      `/api/v3/users/list?userIds[]=${as}`,
    ];
    const pages = async (who: string) => {
      const answers = await Promise.all(reads.map((path) => gateway.rest(path, { as: who })));
      const message = `message(messageId: "${messageId}") { latestReaction { userDisplayName } latestReactor { displayName description } }`;
      const author = `post(postId: "${post.postId}") { author { displayName description metadata avatarCustomUrl } }`;
      const found = await gateway.graphql(`{ ${author} ${who === 'bob' ? message : ''} }`, { as: who });
      return [...answers.map(({ text }) => text), JSON.stringify(found)].flatMap(
        (text) => text.match(new RegExp(`.{0,80}${secret}`)) ?? [],
      );
    };
    expect((await pages('bob')).length).toBeGreaterThan(5);
    const answer = await mutateAs(as, 'deleteUser', {}, 'user { displayName description metadata isDeleted }');
    expect(answer.user).toEqual({ displayName: 'Deleted user', description: '', metadata: {}, isDeleted: true });
    for (const who of ['bob', 'admin']) expect([who, await pages(who)]).toEqual([who, []]);
    const { data } = await gateway.graphql(`{ post(postId: "${post.postId}") { author { displayName } } }`, {
      as: 'bob',
    });
    expect(data).toEqual({ post: { author: { displayName: 'Deleted user' } } });
  });

  test('takes a constant number of commands', async () => {
    await gateway.tokenOf('carol');
    const commands = await gateway.commandsOf(() => mutate('carol', 'deleteUser', {}, 'user { isDeleted }'));
    expect(commands.length, commands.join(' ')).toBeLessThanOrEqual(23);
  });
});
