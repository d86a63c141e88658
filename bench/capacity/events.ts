import { setTimeout as pause } from 'node:timers/promises';
import { ObjectId } from 'mongodb';
import { WebSocket } from 'ws';
import type { EventRecord } from '../../src/store/records/event.ts';
import type { Store } from '../../src/store/store.ts';
import { NETWORK_ID, postId } from '../data.ts';
import { shuffled } from '../stats.ts';
import { treeMs } from './load.ts';
import type { Inputs } from './model.ts';

/** Subscribers of the events that many receive. */
const MANY_SOCKETS = 400;
/** Events per second: fewer than store, gateway and subscribers can take on two cores. */
const RATE = 40;

const SELECTION =
  '{ id cursor type path sendTime post { postId data { text } createdAt author { userId displayName } } }';

/** Which events have how many subscribers. The same gateway serves all of them, so only the number differs. */
const RECEIVERS = {
  none: { type: 'post.deleted', sockets: 0 },
  one: { type: 'post.updated', sockets: 1 },
  many: { type: 'post.created', sockets: MANY_SOCKETS },
} as const;
type Receivers = keyof typeof RECEIVERS;

interface Measured {
  store: Store;
  gateway: { url: string; pid: number };
  tokens: readonly string[];
  rounds: number;
  milliseconds: number;
}

/**
 * Measures what an event costs the gateway of its subscribers, beside reading it. Events without a subscriber, with one and
 * with many are written in turn at the same rate: the differences are rendering and delivery.
 */
export async function measureEvents(options: Measured): Promise<Pick<Inputs, 'rendering' | 'delivery'>> {
  const sockets = [await openSocket(options, 'postUpdated', 0)];
  try {
    for (let index = 0; index < MANY_SOCKETS; index += 1) sockets.push(await openSocket(options, 'postCreated', index));
    await pause(1_000);
    const receivers = Object.keys(RECEIVERS) as Receivers[];
    const used = { none: 0, one: 0, many: 0 };
    const written = { none: 0, one: 0, many: 0 };
    for (let round = -1; round < options.rounds; round += 1) {
      for (const kind of shuffled(receivers)) {
        const { type, sockets: expected } = RECEIVERS[kind];
        const received = () => sockets.reduce((sum, socket) => sum + socket.received, 0);
        const [before, receivedBefore] = [treeMs(options.gateway.pid), received()];
        const count = await writeEvents(options.store, { ...options, type, rate: RATE });
        const missing = count * expected - (received() - receivedBefore);
        if (missing !== 0)
          throw new Error(`Of ${count} events for ${expected} sockets, ${missing} were not delivered.`);
        // The first round compiles.
        if (round < 0) continue;
        used[kind] += treeMs(options.gateway.pid) - before;
        written[kind] += count;
      }
    }
    const [none, one, many] = receivers.map((kind) => (used[kind] * 1_000) / written[kind]) as [number, number, number];
    const delivery = (many - one) / (MANY_SOCKETS - 1);
    return { rendering: { gatewayUs: one - none - delivery }, delivery: { gatewayUs: delivery } };
  } finally {
    for (const socket of sockets) socket.close();
  }
}

interface Writing {
  type: EventRecord['type'];
  /** Events per second, each in a transaction of its own. */
  rate: number;
  milliseconds: number;
}

/** Appends events to the log at a constant rate, and waits until they are delivered. @returns their number */
export async function writeEvents(store: Store, { type, rate, milliseconds }: Writing): Promise<number> {
  const startedAt = performance.now();
  let written = 0;
  while (performance.now() - startedAt < milliseconds) {
    await store.collections.events.insertOne(eventOf(type, written));
    written += 1;
    await pause((written * 1_000) / rate - (performance.now() - startedAt));
  }
  await pause(500);
  return written;
}

function eventOf(type: EventRecord['type'], number: number): EventRecord {
  const _id = new ObjectId();
  const now = new Date();
  return {
    _id,
    eventId: _id.toHexString(),
    commitId: _id.toHexString(),
    networkId: NETWORK_ID,
    type,
    path: `${NETWORK_ID}/capacity`,
    data: { postId: postId(number) },
    actorId: null,
    senderId: 'bench',
    createdAt: now,
    updatedAt: now,
    expiresAt: new Date(now.getTime() + 3_600_000),
  };
}

interface Subscriber {
  /** Number of events. */
  received: number;
  close(): void;
}

/** A socket with a subscription. It reads no more of an event than is necessary to count it. */
function openSocket(
  { gateway, tokens }: Measured,
  field: 'postCreated' | 'postUpdated',
  index: number,
): Promise<Subscriber> {
  const payload = { Authorization: `Bearer ${tokens[index % tokens.length]!}` };
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    const subscriber = { received: 0, close: () => socket.close() };
    const query = `subscription { ${field} ${SELECTION} }`;
    socket.once('error', reject);
    socket.once('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload })));
    socket.on('message', (message) => {
      const text = String(message);
      if (text.includes('"type":"next"')) subscriber.received += 1;
      // The gateway closes a socket that does not answer.
      else if (text.includes('"type":"ping"')) socket.send(JSON.stringify({ type: 'pong' }));
      else if (text.includes('"type":"connection_ack"')) {
        socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }));
        resolve(subscriber);
      } else reject(new Error(text));
    });
  });
}
