import { MANY, NETWORK_ID, type RecordSet } from './data.ts';
import type { FanOutScale } from './events/fan-out.ts';
import type { ManySocketsScale } from './events/many-sockets.ts';
import type { MqttScale } from './events/mqtt.ts';
import type { ExecutorsScale } from './executors/measure.ts';
import type { GrowthScale } from './growth/measure.ts';
import type { MemoryScale } from './memory.ts';
import type { MetricsCostScale } from './metrics-cost/measure.ts';
import type { SearchScale } from './search.ts';
import type { Pace } from './store/compare.ts';
import type { LagPace } from './store/lag.ts';
import type { WebhookScale } from './webhooks.ts';
import type { WorstScale } from './worst/measure.ts';

/** Secrets of the measured deployment: production requires explicit ones, and the hand-written handler needs the same. */
export const SECRETS = {
  API_KEY: 'bench-api-key',
  SERVER_KEY: 'bench-server-key-of-sixteen-and-more',
  TOKEN_SECRET: 'bench-token-secret-of-thirty-two-and-more',
};

/** The environment of the measured gateway, as in production. */
export const GATEWAY_ENV = {
  ...SECRETS,
  NODE_ENV: 'production',
  // Viewers sign in with their user id.
  SECURE_MODE: 'false',
  NETWORK_ID,
  SAMPLE_DATA: 'none',
  PUBLIC_URL: 'http://bench.test',
  // Thousands of sockets are opened from one address.
  CONNECTIONS_PER_ADDRESS: '10000',
  // Few users send all requests.
  RATE_LIMITS: 'off',
};

/** Durations, repetitions and sizes of the measurements of the store alone. */
export interface StoreScale extends Pace {
  /** Number of records of the measured store, and of the small store it is compared with. */
  records: number;
  fewRecords: number;
  lag: LagPace;
}

/** Durations, repetitions and sizes of all measurements. */
export interface Scale {
  /** Concurrent requests: one, and many. */
  connections: readonly [number, number];
  /** Concurrent writes, in few and in many communities. */
  writers: { few: readonly number[]; many: readonly number[] };
  /** The larger set of communities. */
  many: RecordSet;
  /** Posts that other programs create for the comparison with them; at most those of the few communities. */
  peerPosts: number;
  /** Rounds over all slices, each in a random order. */
  rounds: number;
  sliceMs: number;
  warmUpMs: number;
  /** Thousands of generated users around the measured records; 0 for none. */
  fill: number;
  /** Measured starts of each kind. */
  starts: number;
  fanOut: FanOutScale;
  manySockets: ManySocketsScale;
  webhooks: WebhookScale;
  memory: MemoryScale;
  store: StoreScale;
  worst: WorstScale;
  search: SearchScale;
  mqtt: MqttScale;
  growth: GrowthScale;
  metricsCost: MetricsCostScale;
  executors: ExecutorsScale;
}

export const FULL: Scale = {
  connections: [1, 32],
  writers: { few: [1, 32, 128], many: [1, 32] },
  many: MANY,
  peerPosts: 100,
  rounds: 9,
  sliceMs: 800,
  warmUpMs: 1_500,
  fill: 1,
  starts: 3,
  fanOut: {
    sockets: [1_000, 5_000],
    servers: ['gateway', 'broadcast', 'graphql-ws', 'graphql-ws, plain loaders'],
    rounds: 9,
    millisecondsFast: 1_500,
    millisecondsSteady: 4_000,
  },
  manySockets: {
    held: [
      { sockets: 19_500, workers: 1 },
      { sockets: 50_000, workers: 3 },
    ],
    events: 5,
    returning: { sockets: 10_000, missed: 20 },
  },
  webhooks: { warmUp: 1_500, burst: 300, rate: 20, rounds: 9, millisecondsSteady: 4_000 },
  memory: { idleMs: 60_000, loadMs: 600_000, connections: 32 },
  store: {
    records: 1_000_000,
    fewRecords: 10_000,
    rounds: 9,
    sliceMs: 300,
    warmUpMs: 300,
    lag: { rate: 1_000, milliseconds: 4_000, rounds: 3 },
  },
  worst: { starts: 60, changes: 400, repeats: 3, flood: 1_000, searchMs: 120_000, floodMs: 900_000 },
  search: { posts: [10_000, 1_000_000], rounds: 7, sliceMs: 800 },
  mqtt: { sockets: 5_000, rounds: 3, millisecondsFast: 5_000, millisecondsSteady: 10_000 },
  growth: { records: [10_000, 1_000_000], rounds: 9, sliceMs: 120 },
  metricsCost: { rounds: 80, sliceMs: 700, warmUpMs: 4_000, connections: 8 },
  executors: { rounds: 9, sliceMs: 150, warmUpMs: 1_500, warmUpOperations: 1_500 },
};

/** Long enough to check that everything runs; too short for meaningful figures. */
export const SMOKE: Scale = {
  connections: [1, 4],
  writers: { few: [1, 4], many: [1, 4] },
  many: { name: 'many', communities: 33, postsEach: 2 },
  peerPosts: 4,
  rounds: 1,
  sliceMs: 60,
  warmUpMs: 0,
  fill: 0,
  starts: 1,
  fanOut: {
    sockets: [20],
    servers: ['gateway', 'broadcast', 'graphql-ws'],
    rounds: 1,
    millisecondsFast: 300,
    millisecondsSteady: 500,
  },
  manySockets: { held: [{ sockets: 20, workers: 1 }], events: 1, returning: { sockets: 20, missed: 3 } },
  webhooks: { warmUp: 1, burst: 5, rate: 5, rounds: 1, millisecondsSteady: 400 },
  memory: { idleMs: 500, loadMs: 1_000, connections: 32 },
  store: {
    records: 4_000,
    fewRecords: 400,
    rounds: 1,
    sliceMs: 20,
    warmUpMs: 0,
    lag: { rate: 200, milliseconds: 200, rounds: 1 },
  },
  worst: { starts: 4, changes: 20, repeats: 1, flood: 20, searchMs: 30_000, floodMs: 10_000 },
  search: { posts: [1_000, 2_000], rounds: 1, sliceMs: 200 },
  mqtt: { sockets: 20, rounds: 1, millisecondsFast: 300, millisecondsSteady: 500 },
  growth: { records: [80, 400], rounds: 1, sliceMs: 10, lists: 5 },
  metricsCost: { rounds: 1, sliceMs: 60, warmUpMs: 0, connections: 4 },
  executors: { rounds: 1, sliceMs: 10, warmUpMs: 0, warmUpOperations: 1 },
};
