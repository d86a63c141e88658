import { ObjectId } from 'mongodb';
import type { EventRecord } from '../../src/store/records/event.ts';
import type { Store } from '../../src/store/store.ts';
import { NETWORK_ID } from '../data.ts';
import { type Server, startGateway } from '../http/servers.ts';
import { residentMb, untilIdle } from '../process.ts';
import { SECRETS } from '../settings.ts';
import { type Latencies, latenciesOf } from '../stats.ts';
import { type Fleet, type FleetOptions, type FleetUser, startFleet } from './fleet.ts';

/** The delivery of events to many sockets with equal subscriptions. */
export interface Delivery extends Latencies {
  sockets: number;
  /** Messages delivered per second at the maximum rate. */
  messagesPerSecond: number;
  /** Length of one message in bytes. */
  bytes: number;
  /** Events per second while latencies were measured, from the write of the event to its receipt. */
  rate: number;
  /** Whether every subscriber received every event of the latency measurement. */
  isComplete: boolean;
  /** Resident memory with all sockets in megabytes, and of one idle socket in kilobytes. */
  residentMb: number;
  idleKb: number;
}

/** Subscribed users; the gateway allows each 100 sockets. */
const SUBSCRIBERS = 64;
/** Events in delivery at the same time while the maximum rate is measured. */
const CONCURRENT_EVENTS = 2;
/** Time limit for the delivery of one event to all subscribers. */
export const DELIVERY_TIMEOUT_MS = 30_000;

/** Events per second while latencies are measured. */
export const rateFor = (sockets: number): number => (sockets > 2_000 ? 2 : 8);

/** Signs in users. */
export async function signInSubscribers(
  uri: string,
  userIdOf: (index: number) => string,
  count = SUBSCRIBERS,
): Promise<FleetUser[]> {
  const gateway = await startGateway(uri);
  try {
    const users: FleetUser[] = [];
    for (let index = 0; index < count; index += 1) {
      const userId = userIdOf(index);
      const response = await fetch(`${gateway.url}/api/v5/sessions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': SECRETS.API_KEY },
        body: JSON.stringify({ userId, deviceId: userId }),
      });
      const { accessToken, users: signedIn } = (await response.json()) as {
        accessToken?: string;
        users?: Array<{ userId: string; _id: string }>;
      };
      const internalId = signedIn?.find((user) => user.userId === userId)?._id;
      if (!accessToken || !internalId) throw new Error(`A subscriber could not sign in: ${response.status}`);
      users.push({ userId, internalId, token: accessToken });
    }
    return users;
  } finally {
    await gateway.stop();
  }
}

export interface DeliveryOptions {
  start(): Promise<Server>;
  fleet: Omit<FleetOptions, 'url'> & { path: string };
  events: Events;
  scale: { millisecondsFast: number; millisecondsSteady: number };
}

/** Measures the delivery of events by a server that is started for it. */
export async function measureDelivery({ start, fleet: options, events, scale }: DeliveryOptions): Promise<Delivery> {
  const server = await start();
  const sockets = options.size;
  try {
    await untilIdle(server);
    const before = residentMb(server.pid);
    const fleet = await startFleet({ ...options, url: `${server.url.replace('http', 'ws')}${options.path}` });
    try {
      const idleKb = ((residentMb(server.pid) - before) * 1_024) / sockets;
      // Warms up what is compiled on first use.
      for (let warm = 0; warm < 3; warm += 1) await fleet.complete(await events.write(), DELIVERY_TIMEOUT_MS);
      const { received: _, ...fast } = await atFullRate(fleet, events, scale.millisecondsFast);
      const rate = rateFor(sockets);
      const steady = await atSteadyRate(fleet, events, { rate, milliseconds: scale.millisecondsSteady, sockets });
      return { sockets, ...fast, rate, ...steady, residentMb: residentMb(server.pid), idleKb };
    } finally {
      await fleet.stop();
    }
  } finally {
    await server.stop();
  }
}

export interface Events {
  /** Writes an event that every subscriber may see. @returns its number */
  write(): Promise<number>;
}

/** Writes events directly into the log. Their paths end with the number of the event and the time at which it is written. */
export function createEvents(
  store: Store,
  eventOf: (number: number) => Pick<EventRecord, 'type' | 'path' | 'data'>,
): Events {
  let count = 0;
  return {
    async write() {
      const number = count;
      count += 1;
      const _id = new ObjectId();
      const now = new Date();
      const sent = performance.timeOrigin + performance.now();
      const { type, path, data } = eventOf(number);
      await store.collections.events.insertOne({
        _id,
        eventId: _id.toHexString(),
        commitId: _id.toHexString(),
        networkId: NETWORK_ID,
        type,
        path: `${path}#${number} ${sent}#`,
        data,
        actorId: null,
        senderId: 'bench',
        createdAt: now,
        updatedAt: now,
        expiresAt: new Date(now.getTime() + 3_600_000),
      });
      return number;
    },
  };
}

export async function atFullRate(
  fleet: Fleet,
  events: Events,
  milliseconds: number,
): Promise<Pick<Delivery, 'messagesPerSecond' | 'bytes'> & { received: number }> {
  fleet.begin();
  const startedAt = performance.now();
  const keepWriting = async () => {
    while (performance.now() - startedAt < milliseconds)
      await fleet.complete(await events.write(), DELIVERY_TIMEOUT_MS);
  };
  await Promise.all(Array.from({ length: CONCURRENT_EVENTS }, keepWriting));
  const { received, bytes } = await fleet.figures();
  return { messagesPerSecond: (received * 1_000) / (performance.now() - startedAt), bytes, received };
}

export async function atSteadyRate(
  fleet: Fleet,
  events: Events,
  { rate, milliseconds, sockets }: { rate: number; milliseconds: number; sockets: number },
): Promise<Latencies & { isComplete: boolean }> {
  fleet.begin();
  const startedAt = performance.now();
  let written = 0;
  let last = 0;
  while (performance.now() - startedAt < milliseconds) {
    last = await events.write();
    written += 1;
    await new Promise((later) => setTimeout(later, (written * 1_000) / rate - (performance.now() - startedAt)));
  }
  await fleet.complete(last, DELIVERY_TIMEOUT_MS);
  const { received, latencies } = await fleet.figures();
  return { ...latenciesOf(latencies), isComplete: received === written * sockets };
}
