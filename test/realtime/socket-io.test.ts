import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { signIn, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { waitFor } from '../support/live.ts';
import { limitLive } from '../support/live-limits.ts';
import { mutations } from '../support/mutate.ts';

limitLive({ heartbeatMs: 1_000, perUser: 3 });

let gateway: TestGateway;
const open: Connection[] = [];
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(async () => {
  for (const { socket, closed } of open.splice(0)) {
    socket.close();
    await closed;
  }
});
afterAll(() => gateway.close());
const mutate = mutations(() => gateway);

interface Connection {
  socket: WebSocket;
  packets: string[];
  closed: Promise<number>;
  /** Sends an event and resolves to the arguments of its acknowledgement. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  call(event: string, data?: unknown): Promise<any>;
}

async function connect(
  token: string | null,
  { headers = {}, to = gateway }: { headers?: Record<string, string>; to?: TestGateway } = {},
): Promise<Connection> {
  const query = token === null ? '' : `token=${token}&`;
  const url = `${to.url.replace('http', 'ws')}/socket.io/?${query}EIO=3&transport=websocket`;
  const socket = new WebSocket(url, { headers });
  const packets: string[] = [];
  socket.on('message', (data) => void packets.push(String(data)));
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  socket.on('error', () => undefined);
  let calls = 0;
  const connection: Connection = {
    socket,
    packets,
    closed,
    async call(event, data) {
      const id = calls;
      calls += 1;
      socket.send(`42${id}${JSON.stringify([event, data])}`);
      const answer = () => packets.find((packet) => /^43(\d+)/.exec(packet)?.[1] === `${id}`);
      await waitFor(() => answer() !== undefined);
      return JSON.parse(answer()!.slice(`43${id}`.length))[0];
    },
  };
  open.push(connection);
  return connection;
}

const connected = async (as: string) => connect(await gateway.tokenOf(as));

test('opens a connection of engine.io 3 and answers its pings', async () => {
  const { socket, packets } = await connected('bob');
  await waitFor(() => packets.length === 2);
  expect(JSON.parse(packets[0]!.slice(1))).toEqual({
    sid: expect.any(String),
    upgrades: [],
    pingInterval: 1_000,
    pingTimeout: 1_000,
  });
  expect([packets[0]![0], packets[1]]).toEqual(['0', '40']);
  socket.send('2probe');
  await waitFor(() => packets.includes('3probe'));
});

test('answers whether the user flagged a post, a comment or a user, like the REST interface', async () => {
  const bob = await connected('bob');
  const target = { targetType: 'COMMUNITY', targetId: 'gardeners', data: { text: 'x' } };
  const { postId } = (await mutate('alice', 'createPost', target, 'post { postId }')).post;
  const comment = { referenceType: 'POST', referenceId: postId, data: { text: 'x' } };
  const { commentId } = (await mutate('alice', 'createComment', comment, 'comment { commentId }')).comment;
  const calls = [
    ['v3/post.isflagbyme', { postId }, 'flagPost'],
    ['v3/comment.isflagbyme', { commentId }, 'flagComment'],
    ['user.isFlagByMe', { userId: 'alice' }, 'flagUser'],
  ] as const;
  for (const [event, data, flag] of calls) {
    expect(await bob.call(event, data)).toMatchObject({ status: 'success', data: { result: false } });
    expect((await mutate('bob', flag, data, 'clientMutationId')).code).toBeUndefined();
    expect(await bob.call(event, data)).toMatchObject({ status: 'success', data: { result: true } });
  }
});

test('answers an error for records that the user does not see, and for unknown calls', async () => {
  const bob = await connected('bob');
  expect(await bob.call('v3/post.isflagbyme', { postId: 'nowhere' })).toMatchObject({ status: 'error', code: 400400 });
  expect(await bob.call('v3/post.isflagbyme', { postId: { $ne: null } })).toMatchObject({ status: 'error' });
  expect(await bob.call('v3/post.isflagbyme', 'x')).toMatchObject({ status: 'error' });
  for (const event of ['v3/post.delete', 'constructor', '__proto__', 'toString'])
    expect(await bob.call(event, { postId: 'seedlings' })).toMatchObject({ status: 'error', code: 400400 });
});

test('answers also when the token of the connection has expired, while its session has a newer one', async () => {
  const { tokens } = gateway.services;
  const claims = (await tokens.verify(await gateway.tokenOf('bob')))!;
  const token = await tokens.sign({ ...claims, expiresAt: new Date(Date.now() + 2_000) });
  const bob = await connect(token);
  await expect.poll(() => tokens.verify(token)).toBeNull();
  expect(await bob.call('user.isFlagByMe', { userId: 'carol' })).toMatchObject({ status: 'success' });
  expect(await (await connect(token)).closed).toBe(4401);
});

describe('connections are closed', () => {
  test('without a token, with another, and at the end of the session', async () => {
    expect(await (await connect(null)).closed).toBe(4401);
    expect(await (await connect('none')).closed).toBe(4401);
    const token = await signIn(gateway, 'mia');
    const mia = await connect(token);
    await waitFor(() => mia.packets.length === 2);
    await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: 'mutation { revokeSession(input: {}) { __typename } }' }),
    });
    expect(await mia.closed).toBe(4401);
  });

  test.each(['', '9', '5', '4', '42', '42[', '42{}', '42[1]', '42[]', '421', '40/admin,', '45-["x"]', 'x'.repeat(100)])(
    'that send %j',
    async (packet) => {
      const bob = await connected('bob');
      bob.socket.send(packet);
      expect(await bob.closed).toBe(1002);
    },
  );

  test('that send JSON nested too deeply, or with too many values', async () => {
    for (const json of ['['.repeat(50_000), `["x"${',0'.repeat(50_000)}]`]) {
      const bob = await connected('bob');
      bob.socket.send(`420${json}`);
      expect(await bob.closed).toBe(1002);
    }
  });

  test('that send nothing, not even pings', async () => {
    expect(await (await connected('bob')).closed).toBe(1006);
  });

  test('that flood the gateway', async () => {
    const bob = await connected('bob');
    for (let n = 0; n < 6_000; n += 1) bob.socket.send('2');
    expect(await bob.closed).toBe(4429);
  });

  test('beyond the limit of the user', async () => {
    for (let n = 0; n < 3; n += 1) await waitForOpen(await connected('carol'));
    expect(await (await connected('carol')).closed).toBe(4429);
  });
});

const waitForOpen = ({ packets }: Connection) => waitFor(() => packets.length === 2);

test('a page of another origin cannot connect, and HTTP long polling is refused', async () => {
  const token = await gateway.tokenOf('bob');
  await expect(connect(token, { headers: { origin: 'https://evil.example' } })).rejects.toThrow('403');
  expect((await fetch(`${gateway.url}/socket.io/?EIO=3&transport=polling`)).status).toBe(400);
});

test('counts calls towards the request limit of the address', async () => {
  const limited = await startTestGateway({ RATE_LIMIT: '20' });
  onTestFinished(() => limited.close());
  const bob = await connect(await limited.tokenOf('bob'), { to: limited });
  const codes: unknown[] = [];
  for (let n = 0; n < 25; n += 1) codes.push((await bob.call('user.isFlagByMe', { userId: 'alice' })).code);
  expect(codes[0]).toBeUndefined();
  expect(codes.at(-1)).toBe(400311);
});
