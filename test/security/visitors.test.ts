import { createHash, createHmac } from 'node:crypto';
import { OperationTypeNode, parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Route } from '../../rest-compat/route.ts';
import { ROUTES } from '../../rest-compat/routes.ts';
import { READ_ONLY_MUTATIONS } from '../../src/access/visitor.ts';
import { ensureNetwork } from '../../src/domain/network/ensure-network.ts';
import { UPLOAD_PATHS } from '../../src/files/upload-paths.ts';
import { routeName } from '../support/calls.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { waitFor } from '../support/live.ts';
import { mqttClient } from '../support/mqtt-client.ts';
import { mutations } from '../support/mutate.ts';
import { rawSocket } from '../support/raw-socket.ts';
import { CALLS, readSampleIds } from '../support/sample-calls.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const create = (userType: 'visitor' | 'bot', body: object, apiKey = gateway.keys.API_KEY) =>
  gateway.rest(`/api/v5/sessions/${userType}`, { as: null, method: 'POST', headers: { 'x-api-key': apiKey }, body });
const readAs = (token: string, path = '/api/v3/posts/seedlings') =>
  gateway.rest(path, { as: null, headers: { authorization: `Bearer ${token}` } });
const collections = () => gateway.services.store.collections;

describe('the session of a visitor', () => {
  test.each(['visitor', 'bot'] as const)('is created for a %s without an account', async (userType) => {
    const body = { deviceId: 'phone', deviceInfo: { kind: 'web', model: 'x', sdkVersion: '7' } };
    const created = await create(userType, body);
    expect(created).toMatchObject({ status: 200, body: { userType, users: [{ roles: [], permissions: [] }] } });
    const [user] = created.body.users;
    expect(user.userId).toMatch(new RegExp(`^${userType}-[0-9a-f]{40}$`));
    expect(user.path).toBe(`${gateway.networkId}/user/${user._id}`);
    expect(await collections().users.countDocuments({ networkId: gateway.networkId, userId: user.userId })).toBe(0);
    const own = await readAs(created.body.accessToken, `/api/v3/users/${user.userId}`);
    expect(own).toMatchObject({ status: 200, body: { users: [{ userId: user.userId, _id: user._id }] } });
  });

  test('has the same ids each time on a device, and others on another device or as a bot', async () => {
    const idsFor = async (userType: 'visitor' | 'bot', deviceId: string) => {
      const { body } = await create(userType, { deviceId });
      return [body.users[0].userId, body.users[0]._id];
    };
    const [userId, internalId] = await idsFor('visitor', 'tablet');
    expect(await idsFor('visitor', 'tablet')).toEqual([userId, internalId]);
    for (const other of [await idsFor('visitor', 'watch'), await idsFor('bot', 'tablet')]) {
      expect(other[0]).not.toBe(userId);
      expect(other[1]).not.toBe(internalId);
    }
  });

  test('has other ids in another network, so that nobody recognizes the device there', async () => {
    const { store, config } = gateway.services;
    const keys = { API_KEY: 'another-network', SERVER_KEY: 'another-server-key', TOKEN_SECRET: '' };
    await ensureNetwork(store, { ...config, NETWORK_ID: 'another' }, keys, new Date());
    const [here] = (await create('visitor', { deviceId: 'tablet' })).body.users;
    const [there] = (await create('visitor', { deviceId: 'tablet' }, keys.API_KEY)).body.users;
    expect(there.userId).not.toBe(here.userId);
    expect(there._id).not.toBe(here._id);
  });

  test.each([[{}], [{ deviceId: '' }], [{ deviceId: 'd'.repeat(151) }], [{ deviceId: { $ne: null } }]])(
    'is not created for %j',
    async (body) => {
      expect(await create('visitor', body)).toMatchObject({ status: 422, body: { code: 500000 } });
    },
  );

  test('needs the API key', async () => {
    expect(await create('visitor', { deviceId: 'phone' }, 'wrong')).toMatchObject({ status: 401 });
  });

  test('ends at sign-out, and when a user signs in on the device', async () => {
    const first = await create('visitor', { deviceId: 'shared' });
    const headers = { authorization: `Bearer ${first.body.accessToken}` };
    expect(await gateway.rest('/api/v4/sessions', { as: null, method: 'DELETE', headers })).toMatchObject({
      status: 200,
    });
    expect((await readAs(first.body.accessToken)).status).toBe(401);
    const second = await create('visitor', { deviceId: 'shared' });
    const signIn = await gateway.rest('/api/v5/sessions', {
      as: null,
      method: 'POST',
      headers: { 'x-api-key': gateway.keys.API_KEY, authorization: `Bearer ${second.body.accessToken}` },
      body: { userId: 'bob', deviceId: 'shared' },
    });
    expect(signIn).toMatchObject({ status: 200, body: { userType: 'signed-in' } });
    expect((await readAs(second.body.accessToken)).status).toBe(401);
  });

  test('has an id that no user can sign in with', async () => {
    const { body } = await create('visitor', { deviceId: 'phone' });
    const { userId } = body.users[0];
    const signIn = await gateway.rest('/api/v5/sessions', {
      as: null,
      method: 'POST',
      headers: { 'x-api-key': gateway.keys.API_KEY },
      body: { userId },
    });
    expect(signIn).toMatchObject({
      status: 422,
      body: { data: { detail: ['userId: must not be the id of a visitor'] } },
    });
  });

  test('is not created without a signature in a network that creates no users at sign-in', async () => {
    const { networks } = collections();
    const { networkId } = gateway;
    await networks.updateOne({ networkId }, { $set: { createsUnknownUsers: false } });
    onTestFinished(async () => void (await networks.updateOne({ networkId }, { $set: { createsUnknownUsers: true } })));
    expect((await create('visitor', { deviceId: 'phone' })).status).toBe(404);
    expect((await create('visitor', signed({ deviceId: 'phone' }))).status).toBe(200);
  });
});

/** A visit that the server of the application signed. */
function signed(
  { deviceId, expiresAt = '2100-01-01T00:00:00.000Z' }: { deviceId: string; expiresAt?: string },
  serverKey = gateway.keys.SERVER_KEY,
) {
  const secret = createHash('sha256').update(serverKey).digest('hex');
  const text = `deviceId=${deviceId}&authSignatureExpiresAt=${expiresAt}`;
  const authSignature = createHmac('sha256', secret).update(text).digest('hex');
  return { deviceId, authSignature, authSignatureExpiresAt: expiresAt };
}

describe('in secure mode', () => {
  beforeAll(() => collections().networks.updateOne({ networkId: gateway.networkId }, { $set: { secureMode: true } }));
  afterAll(() => collections().networks.updateOne({ networkId: gateway.networkId }, { $set: { secureMode: false } }));

  test.each(['visitor', 'bot'] as const)('a %s needs a signature', async (userType) => {
    expect((await create(userType, { deviceId: 'phone' })).status).toBe(401);
    expect((await create(userType, { deviceId: 'phone', authSignature: '' })).status).toBe(401);
    expect((await create(userType, signed({ deviceId: 'phone' }))).status).toBe(200);
  });

  test('a signature is refused for another device or time, from another key, and when it has expired', async () => {
    const visit = signed({ deviceId: 'phone' });
    const wrong = [
      { ...visit, deviceId: 'other' },
      { ...visit, authSignatureExpiresAt: '2101-01-01T00:00:00.000Z' },
      { ...visit, authSignatureExpiresAt: null },
      { ...visit, authSignature: visit.authSignature.slice(2) },
      { ...visit, authSignature: 'z'.repeat(64) },
      signed({ deviceId: 'phone' }, gateway.keys.API_KEY),
      signed({ deviceId: 'phone', expiresAt: '2020-01-01T00:00:00.000Z' }),
      signed({ deviceId: 'phone', expiresAt: 'tomorrow' }),
    ];
    for (const body of wrong) {
      expect(await create('visitor', body), JSON.stringify(body)).toMatchObject({
        status: 401,
        body: { code: 400100 },
      });
    }
  });
});

describe('a visitor', () => {
  test('reads public communities, and not private ones', async () => {
    const query =
      '{ open: community(communityId: "gardeners") { communityId } closed: community(communityId: "orchard-keepers") { communityId } }';
    const { data } = await gateway.graphql(query, { as: 'visitor#reader' });
    expect(data).toEqual({ open: { communityId: 'gardeners' }, closed: null });
  });

  test('is unknown to other users', async () => {
    const { data } = await gateway.graphql<{ viewer: { userId: string; userType: string } }>(
      '{ viewer { userId userType } }',
      { as: 'visitor#reader' },
    );
    expect(data.viewer.userType).toBe('VISITOR');
    const { userId } = data.viewer;
    const seen = await gateway.graphql(
      'query ($userId: String!) { user(userId: $userId) { userId } viewer { userType } }',
      { as: 'admin', variables: { userId } },
    );
    expect(seen.data).toEqual({ user: null, viewer: { userType: 'SIGNED_IN' } });
    const execute = mutations(() => gateway);
    for (const [operation, input] of [
      ['followUser', { userId }],
      ['addUserRoles', { userId, roleIds: ['moderator'] }],
      ['addCommunityMembers', { communityId: 'gardeners', userIds: [userId] }],
    ] as const) {
      expect(await execute('admin', operation, input, '__typename'), operation).toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  test('reads false in each field that says what the viewer can change', async () => {
    const query = `{
      community(communityId: "gardeners") { viewerCanJoin }
      post(postId: "seedlings") { viewerCanComment }
      user(userId: "bob") { viewerCanFlag viewerCanEdit }
    }`;
    const { data, errors } = await gateway.graphql(query, { as: 'visitor#reader' });
    expect(errors).toBeUndefined();
    expect(Object.values(data as object).flatMap((record) => Object.values(record as object))).toEqual(
      expect.not.arrayContaining([true]),
    );
  });

  test('receives events of what they can read, over WebSockets and MQTT', async () => {
    const socket = await (await rawSocket(gateway.url)).init(await gateway.tokenOf('visitor#reader'));
    onTestFinished(() => socket.close());
    const query = 'subscription { postCreated { post { postId } } }';
    socket.send({ id: '1', type: 'subscribe', payload: { query } });
    const client = await mqttClient(gateway, 'visitor#reader');
    onTestFinished(() => client.close());
    const gardeners = await collections().communities.findOne({
      networkId: gateway.networkId,
      communityId: 'gardeners',
    });
    expect(await client.subscribe(`social/community/${gardeners!._id.toHexString()}/post/+`)).toEqual([0]);
    expect(await client.subscribe(`user/${client.userInternalId}`)).toEqual([0]);
    const execute = mutations(() => gateway);
    const { post } = await execute(
      'alice',
      'createPost',
      { targetType: 'COMMUNITY', targetId: 'gardeners', data: { text: 'x' } },
      'post { postId }',
    );
    const event = await socket.message(({ type }) => type === 'next');
    expect(event.payload.data.postCreated.post).toEqual(post);
    await waitFor(() => client.events.length > 0);
    expect(client.events[0]!.data.posts[0].postId).toBe(post.postId);
  });
});

/** The mutation that a route executes, if it does. */
function mutationOf({ document }: Route): string | null {
  const [operation] = parse(document.toString()).definitions;
  if (operation?.kind !== 'OperationDefinition' || operation.operation !== OperationTypeNode.MUTATION) return null;
  const [field] = operation.selectionSet.selections;
  return field?.kind === 'Field' ? field.name.value : null;
}

describe('the gateway', () => {
  const written = async () => {
    const { events, keyedWrites, files } = collections();
    const { networkId } = gateway;
    return Promise.all([
      events.countDocuments({ networkId }),
      keyedWrites.countDocuments({ networkId }),
      files.countDocuments({ networkId }),
    ]);
  };

  test.each(['visitor', 'bot'])('refuses each REST path that writes, with and without a key: %s', async (userType) => {
    const ids = await readSampleIds(gateway);
    const before = await written();
    const writes = ROUTES.filter((route) => {
      const mutation = mutationOf(route);
      return mutation !== null && !READ_ONLY_MUTATIONS.has(mutation);
    });
    expect(writes.length).toBeGreaterThan(80);
    for (const route of writes) {
      const { path, body } = CALLS[routeName(route)]!(ids);
      for (const headers of [{}, { 'idempotency-key': 'one' }] as Record<string, string>[]) {
        const options = { as: `${userType}#writer`, method: route.method, body, headers };
        const answer = await gateway.rest(path, options);
        expect([answer.status, answer.body.code], routeName(route)).toEqual([
          403,
          userType === 'bot' ? 403998 : 403999,
        ]);
      }
    }
    expect(await written()).toEqual(before);
  });

  test.each(UPLOAD_PATHS)('refuses uploads: %s', async (path) => {
    const before = await written();
    const form = new FormData();
    form.append('files', new Blob(['hello']), 'hello.txt');
    const response = await fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await gateway.tokenOf('visitor#uploader')}` },
      body: form,
    });
    expect([response.status, ((await response.json()) as { code: number }).code]).toEqual([403, 403999]);
    expect(await written()).toEqual(before);
  });
});
