import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { FleetOrder, FleetReport } from '../fleet.ts';
import { textsOf } from './frames.ts';

/**
 * Many minimal subscribers in one process, so that the server is the bottleneck: each reads only the time in the text
 * of an event.
 */
const url = new URL(process.env.FLEET_URL!);
const size = Number(process.env.FLEET_SIZE);
const query = process.env.FLEET_QUERY!;
const tokens = JSON.parse(process.env.FLEET_TOKENS!) as string[];

const NEXT = '"next"';
/** An empty pong frame, masked with zeros. */
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
const HASH = '#'.charCodeAt(0);

/** Missing messages of each event, by its number. */
let missing = new Map<string, number>();
let latencies: number[] = [];
let received = 0;

const report = (message: FleetReport) => process.send!(message);
const sockets: Socket[] = [];
for (let index = 0; index < size; index += 1) {
  sockets.push(await openSocket(index));
}
report({ type: 'ready' });

/** A `graphql-transport-ws` client over a minimal WebSocket. */
function openSocket(index: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname).setNoDelay(true);
    let isOpen = false;
    const fail = (why: string) => {
      if (!isOpen) return reject(new Error(why));
      console.error(`A subscriber was lost: ${why}`);
      process.exit(1);
    };
    socket.once('error', ({ message }) => fail(message));
    socket.once('close', () => fail('closed'));
    socket.write(
      `GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n` +
        'Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
    );
    socket.once('data', (answer) => {
      if (!answer.includes(' 101 ')) return fail(String(answer));
      const rest = textsOf(take, () => socket.write(PONG));
      socket.on('data', rest);
      const Authorization = `Bearer ${tokens[index % tokens.length]}`;
      send(socket, { type: 'connection_init', payload: { Authorization } });
      const after = answer.subarray(answer.indexOf('\r\n\r\n') + 4);
      if (after.length > 0) rest(after);
    });

    function take(text: Buffer): void {
      if (text.includes(NEXT)) {
        recordEvent(text);
        return;
      }
      const { type } = JSON.parse(String(text)) as { type: string };
      if (type === 'ping') send(socket, { type: 'pong' });
      if (type === 'error') fail(String(text));
      if (type !== 'connection_ack') return;
      if (query) send(socket, { id: `${index}`, type: 'subscribe', payload: { query } });
      isOpen = true;
      resolve(socket);
    }
  });
}

/** A masked frame; the mask is zero, so the text is unchanged. */
function send(socket: Socket, message: object): void {
  const text = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(text.length < 126 ? 6 : 8);
  head[0] = 0x81;
  head[1] = 0x80 | Math.min(text.length, 126);
  if (text.length >= 126) head.writeUInt16BE(text.length, 2);
  socket.write(Buffer.concat([head, text]));
}

/** Counts an event, whose path contains `#<number> <milliseconds>#`. */
function recordEvent(text: Buffer): void {
  const now = performance.timeOrigin + performance.now();
  const from = text.indexOf(HASH) + 1;
  const [number, sent] = text.toString('latin1', from, text.indexOf(HASH, from)).split(' ');
  received += 1;
  latencies.push(now - Number(sent));
  const left = (missing.get(number!) ?? size) - 1;
  if (left > 0) missing.set(number!, left);
  else {
    missing.delete(number!);
    report({ type: 'complete', number: Number(number) });
  }
}

process.on('message', (order: FleetOrder) => {
  if (order.type === 'begin') {
    latencies = [];
    received = 0;
    missing = new Map();
  } else {
    report({ type: 'figures', received, latencies });
  }
});
process.once('SIGTERM', () => process.exit(0));
