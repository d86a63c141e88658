import fc from 'fast-check';
import mqttPacket from 'mqtt-packet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { TestGateway } from '../support/gateway.ts';
import { waitFor } from '../support/live.ts';
import { limitLive } from '../support/live-limits.ts';
import { mqttClient } from '../support/mqtt-client.ts';
import { expectServing, startAttackedGateway } from './attacked-gateway.ts';

limitLive({ initMs: 2_000, heartbeatMs: 1_500 });

let gateway: TestGateway;
let commands: string[];
let token: string;
beforeAll(async () => {
  ({ gateway, commands } = await startAttackedGateway());
  token = await gateway.tokenOf('bob');
});
afterAll(() => gateway.close());

interface RawMqtt {
  socket: WebSocket;
  received: Buffer[];
  closed: Promise<number>;
}

async function rawMqtt(
  options: { protocol?: string; headers?: Record<string, string>; autoPong?: boolean } = {},
): Promise<RawMqtt> {
  const { protocol = 'mqtt', headers = {}, autoPong = true } = options;
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/mqtt`, protocol, { headers, autoPong });
  const received: Buffer[] = [];
  socket.on('message', (data) => void received.push(data as Buffer));
  const closed = new Promise<number>((resolve) => socket.once('close', (code) => resolve(code)));
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  socket.on('error', () => undefined);
  return { socket, received, closed };
}

const connectPacket = (fields: object = {}) =>
  mqttPacket.generate({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: 4,
    clientId: `raw-${Math.random()}`,
    clean: true,
    keepalive: 60,
    password: Buffer.from(token),
    username: 'bob',
    ...fields,
  } as never);
const subscribePacket = (topics: string[]) =>
  mqttPacket.generate({
    cmd: 'subscribe',
    messageId: 1,
    subscriptions: topics.map((topic) => ({ topic, qos: 0 as const })),
  });

async function connected(): Promise<RawMqtt> {
  const raw = await rawMqtt();
  raw.socket.send(connectPacket());
  await waitFor(() => raw.received.length > 0);
  expect([...raw.received.splice(0)[0]!]).toEqual([0x20, 2, 0, 0]);
  return raw;
}

describe('connections are closed', () => {
  test.each<[name: string, code: number, bytes: () => Buffer | string]>([
    ['a text frame', 1003, () => 'CONNECT'],
    ['a packet before CONNECT', 1002, () => subscribePacket(['default'])],
    ['a packet type that does not exist', 1002, () => Buffer.from([0xf0, 0])],
    [
      'a packet that announces 200 MiB',
      1002,
      () => Buffer.concat([Buffer.from([0x10, 0xff, 0xff, 0xff, 0x63]), Buffer.alloc(200_000)]),
    ],
    ['a length of five bytes', 1002, () => Buffer.from([0x10, 0xff, 0xff, 0xff, 0xff, 0xff])],
    ['a CONNECT with reserved flags', 1002, () => Buffer.concat([Buffer.from([0x1f]), connectPacket().subarray(1)])],
    ['a truncated CONNECT', 1002, () => Buffer.from([0x10, 4, 0, 4, 0x4d, 0x51])],
  ])('that send %s', async (_, code, bytes) => {
    const raw = await rawMqtt();
    raw.socket.send(bytes());
    expect(await raw.closed).toBe(code);
    await expectServing(gateway);
  });

  test('that publish, or send CONNECT twice', async () => {
    const publisher = await connected();
    publisher.socket.send(
      mqttPacket.generate({ cmd: 'publish', topic: 'default', payload: 'x', qos: 0, dup: false, retain: false }),
    );
    expect(await publisher.closed).toBe(1008);
    const twice = await connected();
    twice.socket.send(connectPacket());
    expect(await twice.closed).toBe(1002);
  });

  test('that send no CONNECT in time, and those without the sub-protocol', async () => {
    expect(await (await rawMqtt()).closed).toBe(1008);
    const other = new WebSocket(`${gateway.url.replace('http', 'ws')}/mqtt`);
    const code = await new Promise((resolve) => {
      other.once('close', resolve);
      other.once('error', resolve);
    });
    expect(code).toBe(1002);
  });

  test('that answer no ping, or send nothing for one and a half times their keep alive', async () => {
    const dead = await rawMqtt({ autoPong: false });
    dead.socket.send(connectPacket());
    const silent = await rawMqtt();
    silent.socket.send(connectPacket({ keepalive: 1 }));
    const alive = await connected();
    expect(await Promise.all([dead.closed, silent.closed])).toEqual([1006, 1006]);
    expect(alive.socket.readyState).toBe(WebSocket.OPEN);
    alive.socket.close();
  });

  test('that flood the gateway with packets or with topics that are refused, while others are served', async () => {
    const flooding = await connected();
    flooding.socket.send(Buffer.alloc(200_000, Buffer.from([0xc0, 0])));
    expect(await flooding.closed).toBe(4429);
    const probing = await connected();
    for (let n = 0; n < 200; n += 1) probing.socket.send(subscribePacket([`default/chat/${n}/#`]));
    expect(await probing.closed).toBe(4429);
    await expectServing(gateway);
  });
});

test('a page of another origin cannot connect', async () => {
  await expect(rawMqtt({ headers: { origin: 'https://evil.example' } })).rejects.toThrow('403');
});

test('topics reach no query as anything but text, and wildcards match no record', async () => {
  commands.length = 0;
  const raw = await connected();
  const topics = [
    'default/chat/{"$ne":null}/#',
    'default/chat/$where/#',
    'default/social/user/__proto__/story/#',
    'default/user/.*',
    'default/\u0000',
  ];
  raw.socket.send(subscribePacket(topics));
  await waitFor(() => raw.received.length > 0);
  expect([...raw.received[0]!.subarray(4)]).toEqual(topics.map(() => 128));
  expect(commands.filter((command) => /"\$(ne|where)"/.test(command))).toEqual([]);
  raw.socket.close();
});

test('a packet may arrive in many frames, and a frame may hold several packets', async () => {
  const raw = await rawMqtt();
  for (const byte of connectPacket()) raw.socket.send(Buffer.from([byte]));
  await waitFor(() => raw.received.length > 0);
  raw.socket.send(
    Buffer.concat([subscribePacket(['default/videostreaming']), Buffer.from([0xc0, 0]), Buffer.from([0xc0, 0])]),
  );
  await waitFor(() => raw.received.length >= 4);
  expect(Buffer.concat(raw.received.slice(1)).toString('hex').match(/d000/g)).toHaveLength(2);
  raw.socket.close();
});

test('random bytes close at most their own connection', async () => {
  const witness = await mqttClient(gateway, 'carol');
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 5 }),
      fc.boolean(),
      async (frames, isConnected) => {
        const raw = isConnected ? await connected() : await rawMqtt();
        for (const frame of frames) if (raw.socket.readyState === WebSocket.OPEN) raw.socket.send(frame);
        raw.socket.close();
        await raw.closed;
      },
    ),
    { numRuns: 40 },
  );
  expect(witness.client.connected).toBe(true);
  await witness.close();
  await expectServing(gateway);
});
