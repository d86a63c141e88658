import type { Store } from '../../src/store/store.ts';
import { NETWORK_ID, type RecordSet } from '../data.ts';
import { type Server, signIn, startGateway } from '../http/servers.ts';
import { type Program, untilIdle } from '../process.ts';

export interface CapacityScale {
  rounds: number;
  /** Thousands of generated users around the measured records. */
  fill: number;
  /** The communities of the requests. */
  set: RecordSet;
  /** Longest time for which a gateway is warmed up. */
  warmUpMs: number;
  /** Durations of one measurement of requests at a low rate, of one at a high rate, and of one of events. */
  lightMs: number;
  busyMs: number;
  eventsMs: number;
}

export const CAPACITY: CapacityScale = {
  rounds: 5,
  fill: 1,
  set: { name: 'many', communities: 120, postsEach: 20 },
  warmUpMs: 60_000,
  lightMs: 3_000,
  busyMs: 2_500,
  eventsMs: 4_000,
};
export const CAPACITY_SMOKE: CapacityScale = {
  rounds: 1,
  fill: 0,
  set: { name: 'many', communities: 33, postsEach: 2 },
  warmUpMs: 1_000,
  lightMs: 400,
  busyMs: 300,
  eventsMs: 300,
};

/** What all measurements share. */
export interface Bench {
  scale: CapacityScale;
  store: Store;
  server: Program & { uri: string };
  progress: (step: string) => void;
}

/** A gateway, and the access tokens of the viewers. */
export interface Gateway extends Server {
  tokens: readonly string[];
}

/** Starts a gateway of so many processes, and stops it after the work. */
export async function withGateway<Result>(
  { server }: Bench,
  workers: number,
  work: (gateway: Gateway) => Promise<Result>,
): Promise<Result> {
  const gateway = await startGateway(server.uri, { WORKERS: String(workers) });
  try {
    const tokens = await signIn(gateway.url);
    await untilIdle(gateway);
    return await work({ ...gateway, tokens });
  } finally {
    await gateway.stop();
  }
}

export const countEvents = (store: Store): Promise<number> =>
  store.collections.events.countDocuments({ networkId: NETWORK_ID });
