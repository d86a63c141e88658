import { ObjectId } from 'mongodb';
import { WebSocket } from 'ws';
import type { EventRecord } from '../../src/store/records/event.ts';
import type { Store } from '../../src/store/store.ts';
import { NETWORK_ID, postId } from '../data.ts';
import { processorMs, untilIdle } from '../process.ts';
import { pause, treeMs } from './load.ts';
import type { Inputs } from './model.ts';

/** Subscribers of the measured events. */
const SOCKETS = 400;
/** Events per second, fewer than the store and a gateway can take. */
const RATE = 200;
/** Events in one transaction of the writer. */
const BATCH = 10;

const QUERY =
  'subscription { postCreated { id cursor type path sendTime post { postId data { text } createdAt author { userId displayName } } } }';

interface Measured {
  store: Store;
  storePid: number;
  gateway: { url: string; pid: number };
  tokens: readonly string[];
  milliseconds: number;
  /** Processor time of the store for an event that no gateway reads. */
  writeUs: number;
}

/**
 * Measures the costs of events for one gateway: of one that no subscriber receives, and of one that all receive.
 */
export async function measureEvents(options: Measured): Promise<Pick<Inputs, 'stream' | 'rendering' | 'delivery'>> {
  const { gateway, writeUs } = options;
  await untilIdle(gateway);
  const idleMs = await idleShare(options);
  const unread = await whileWriting(options, { type: 'post.deleted', idleMs });
  const sockets = await openSockets(options);
  try {
    await pause(1_000);
    // Half of the sockets leave: the difference separates the cost per event from that per subscriber.
    await whileWriting({ ...options, milliseconds: 500 }, { type: 'post.created', idleMs, rate: 20 });
    const all = await whileWriting(options, { type: 'post.created', idleMs, rate: 20 });
    for (const socket of sockets.splice(SOCKETS / 2)) socket.close();
    await pause(500);
    const half = await whileWriting(options, { type: 'post.created', idleMs, rate: 20 });
    const deliveryUs = Math.max(0, (all.gatewayUs - half.gatewayUs) / (SOCKETS / 2));
    return {
      stream: { gatewayUs: Math.round(unread.gatewayUs), storeUs: Math.round(Math.max(0, unread.storeUs - writeUs)) },
      rendering: { gatewayUs: Math.round(Math.max(0, all.gatewayUs - unread.gatewayUs - deliveryUs * SOCKETS)) },
      delivery: { gatewayUs: Number(deliveryUs.toFixed(1)) },
    };
  } finally {
    for (const socket of sockets) socket.close();
  }
}

/** Processor milliseconds per second of an idle gateway and its store. */
async function idleShare({ gateway, storePid }: Measured): Promise<{ gateway: number; store: number }> {
  const [gatewayBefore, storeBefore, at] = [treeMs(gateway.pid), processorMs(storePid), performance.now()];
  await pause(3_000);
  const seconds = (performance.now() - at) / 1_000;
  return {
    gateway: (treeMs(gateway.pid) - gatewayBefore) / seconds,
    store: (processorMs(storePid) - storeBefore) / seconds,
  };
}

interface Writing {
  type: EventRecord['type'];
  idleMs: { gateway: number; store: number };
  rate?: number;
}

/** Processor time per event while events are written at a constant rate. */
async function whileWriting(
  { store, storePid, gateway, milliseconds }: Measured,
  { type, idleMs, rate = RATE }: Writing,
): Promise<{ gatewayUs: number; storeUs: number }> {
  const [gatewayBefore, storeBefore, startedAt] = [treeMs(gateway.pid), processorMs(storePid), performance.now()];
  let written = 0;
  while (performance.now() - startedAt < milliseconds) {
    await store.collections.events.insertMany(Array.from({ length: BATCH }, () => eventOf(type, written++)));
    await pause((written * 1_000) / rate - (performance.now() - startedAt));
  }
  // What is in progress belongs to these events.
  await pause(500);
  const seconds = (performance.now() - startedAt) / 1_000;
  return {
    gatewayUs: Math.max(0, ((treeMs(gateway.pid) - gatewayBefore - idleMs.gateway * seconds) * 1_000) / written),
    storeUs: Math.max(0, ((processorMs(storePid) - storeBefore - idleMs.store * seconds) * 1_000) / written),
  };
}

/** Processor time of the store for writing one event that no stream reads. */
export async function measureWriting(options: Omit<Measured, 'gateway' | 'tokens' | 'writeUs'>): Promise<number> {
  const { storePid, milliseconds, store } = options;
  const [before, startedAt] = [processorMs(storePid), performance.now()];
  let written = 0;
  while (performance.now() - startedAt < milliseconds) {
    await store.collections.events.insertMany(Array.from({ length: BATCH }, () => eventOf('post.deleted', written++)));
    await pause((written * 1_000) / RATE - (performance.now() - startedAt));
  }
  return ((processorMs(storePid) - before) * 1_000) / written;
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

/** Sockets with the same subscription, which read nothing of what they receive. */
async function openSockets({ gateway, tokens }: Measured): Promise<WebSocket[]> {
  const sockets: WebSocket[] = [];
  for (let index = 0; index < SOCKETS; index += 1) {
    sockets.push(await openSocket(gateway.url, tokens[index % tokens.length]!));
  }
  return sockets;
}

function openSocket(url: string, token: string): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    socket.once('error', reject);
    socket.once('open', () =>
      socket.send(JSON.stringify({ type: 'connection_init', payload: { Authorization: `Bearer ${token}` } })),
    );
    socket.once('message', (message) => {
      if (!String(message).includes('connection_ack')) return reject(new Error(String(message)));
      socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: QUERY } }));
      resolve(socket);
    });
  });
}
