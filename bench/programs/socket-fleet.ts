import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import mqttPacket from 'mqtt-packet';
import type { FleetOrder, FleetReport, FleetUser } from '../events/fleet.ts';
import { messagesOf } from './frames.ts';

/**
 * Many minimal subscribers in one process, so that the server is the bottleneck: each reads only the time in the text
 * of an event.
 */
const url = new URL(process.env.FLEET_URL!);
const size = Number(process.env.FLEET_SIZE);
const query = process.env.FLEET_QUERY!;
const topics = JSON.parse(process.env.FLEET_TOPICS!) as string[];
const users = JSON.parse(process.env.FLEET_USERS!) as FleetUser[];
/** Local address of the clients: a machine has some 28,000 ports for each. */
const localAddress = process.env.FLEET_ADDRESS || undefined;
/** Whether clients whose connection the server closes connect again and continue after their last event. */
const reconnects = process.env.FLEET_RECONNECTS === 'true';

/** One protocol over WebSockets: GraphQL, or MQTT for subscribers of topics. */
interface Protocol {
  name: string;
  /** The first message of a client. */
  hello(user: FleetUser, index: number): Buffer;
  /** Whether a message of the server is an event. */
  isEvent(message: Buffer): boolean;
  /** Answers another message. @returns whether the client is ready; a text describes a failure */
  answer(message: Buffer, reply: (message: Buffer) => void, user: FleetUser, index: number): boolean | string;
}

const NEXT = '"next"';

const json = (message: object) => Buffer.from(JSON.stringify(message));

const GRAPHQL: Protocol = {
  name: 'graphql-transport-ws',
  hello: ({ token }) => json({ type: 'connection_init', payload: { Authorization: `Bearer ${token}` } }),
  isEvent: (message) => message.includes(NEXT),
  answer(message, reply, _user, index) {
    const { type } = JSON.parse(String(message)) as { type: string };
    if (type === 'ping') reply(json({ type: 'pong' }));
    if (type === 'error') return String(message);
    if (type !== 'connection_ack') return false;
    if (query) reply(json({ id: `${index}`, type: 'subscribe', payload: { query: queryAfter(positions[index]) } }));
    return true;
  },
};

/** The first bytes of packets of MQTT 3.1.1 without flags. */
const [CONNACK, PUBLISH, SUBACK] = [0x20, 0x30, 0x90];

const MQTT: Protocol = {
  name: 'mqtt',
  hello: ({ userId, token }, index) =>
    mqttPacket.generate({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clientId: `bench-${index}`,
      clean: false,
      keepalive: 600,
      username: userId,
      password: Buffer.from(token),
    }),
  isEvent: (message) => message[0] === PUBLISH,
  answer(message, reply, { internalId }) {
    if (message[0] === CONNACK && message[3] === 0) {
      const subscriptions = topics.map((topic) => ({ topic: topic.replace('{me}', internalId), qos: 0 as const }));
      reply(mqttPacket.generate({ cmd: 'subscribe', messageId: 1, subscriptions }));
      return false;
    }
    if (message[0] === SUBACK && message.subarray(4).every((code) => code === 0)) return true;
    return `refused: ${message.toString('hex')}`;
  },
};

const protocol = topics.length > 0 ? MQTT : GRAPHQL;

/** The last event that a client has received. */
interface Position {
  number: number;
  cursor: string;
}

const positions: Position[] = [];

/** The subscription, continued after an event. */
const queryAfter = (position: Position | undefined): string =>
  position ? query.replace(/\{ (\w+)/, `{ $1(after: ${JSON.stringify(position.cursor)})`) : query;

/** An empty pong frame, masked with zeros. */
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
const HASH = '#'.charCodeAt(0);

/** Missing messages of each event, by its number. */
let missing = new Map<string, number>();
let latencies: number[] = [];
let received = 0;
let last: Buffer = Buffer.alloc(0);

const report = (message: FleetReport) => process.send!(message);
/** Sockets that are opened concurrently. */
const CONCURRENT_OPENS = 20;
/** Clients connect again at random times within this time, and repeat it until they succeed. */
const RECONNECT_WITHIN_MS = 1_000;
let isReady = false;
const sockets: Socket[] = [];
for (let index = 0; index < size; index += CONCURRENT_OPENS) {
  const count = Math.min(CONCURRENT_OPENS, size - index);
  sockets.push(...(await Promise.all(Array.from({ length: count }, (_, offset) => openSocket(index + offset)))));
}
isReady = true;
report({ type: 'ready' });

/** A client over a minimal WebSocket. */
function openSocket(index: number): Promise<Socket> {
  const user = users[index % users.length]!;
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(url.port), host: url.hostname, localAddress }).setNoDelay(true);
    let isOpen = false;
    let hasFailed = false;
    const fail = (why: string) => {
      if (hasFailed) return;
      hasFailed = true;
      if (reconnects && isReady) {
        socket.destroy();
        setTimeout(() => void openSocket(index), Math.random() * RECONNECT_WITHIN_MS);
        return;
      }
      if (!isOpen) return reject(new Error(why));
      console.error(`A subscriber was lost: ${why}`);
      process.exit(1);
    };
    socket.once('error', ({ message }) => fail(message));
    socket.once('close', () => fail('closed'));
    socket.write(
      `GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n` +
        `Sec-WebSocket-Protocol: ${protocol.name}\r\n\r\n`,
    );
    socket.once('data', (answer) => {
      if (!answer.includes(' 101 ')) return fail(String(answer));
      const rest = messagesOf(take, () => socket.write(PONG));
      socket.on('data', rest);
      send(socket, protocol.hello(user, index));
      const after = answer.subarray(answer.indexOf('\r\n\r\n') + 4);
      if (after.length > 0) rest(after);
    });

    function take(message: Buffer): void {
      if (protocol.isEvent(message)) {
        recordEvent(message);
        if (reconnects) move(index, message);
        return;
      }
      const outcome = protocol.answer(message, (reply) => send(socket, reply), user, index);
      if (typeof outcome === 'string') fail(outcome);
      if (outcome !== true) return;
      isOpen = true;
      resolve(socket);
    }
  });
}

/** A masked frame; the mask is zero, so the message is unchanged. */
function send(socket: Socket, message: Buffer): void {
  const head = Buffer.alloc(message.length < 126 ? 6 : 8);
  head[0] = protocol === MQTT ? 0x82 : 0x81;
  head[1] = 0x80 | Math.min(message.length, 126);
  if (message.length >= 126) head.writeUInt16BE(message.length, 2);
  socket.write(Buffer.concat([head, message]));
}

/** Counts an event, whose path contains `#<number> <milliseconds>#`. */
function recordEvent(text: Buffer): void {
  const now = performance.timeOrigin + performance.now();
  const from = text.indexOf(HASH) + 1;
  const [number, sent] = text.toString('latin1', from, text.indexOf(HASH, from)).split(' ');
  received += 1;
  last = text;
  latencies.push(now - Number(sent));
  const left = (missing.get(number!) ?? size) - 1;
  if (left > 0) missing.set(number!, left);
  else {
    missing.delete(number!);
    report({ type: 'complete', number: Number(number) });
  }
}

/** Moves a client to an event, which must be the next one. */
function move(index: number, text: Buffer): void {
  const [, cursor, number] = /"cursor":"([^"]+)".*?#(\d+) /.exec(text.toString('latin1'))!;
  const expected = (positions[index]?.number ?? Number(number) - 1) + 1;
  if (Number(number) !== expected) {
    console.error(`A subscriber received event ${number} instead of ${expected}.`);
    process.exit(1);
  }
  positions[index] = { number: expected, cursor: cursor! };
}

process.on('message', (order: FleetOrder) => {
  if (order.type === 'begin') {
    latencies = [];
    received = 0;
    missing = new Map();
  } else {
    report({ type: 'figures', received, latencies, bytes: last.length, last: String(last) });
  }
});
process.once('SIGTERM', () => process.exit(0));
