import { NETWORK_ID } from './data.ts';

/** The secrets of the measured deployment: production asks for its own, and the hand-written handler needs the same. */
export const SECRETS = {
  API_KEY: 'bench-api-key',
  SERVER_KEY: 'bench-server-key-of-sixteen-and-more',
  TOKEN_SECRET: 'bench-token-secret-of-thirty-two-and-more',
};

/** The environment in which the gateway is measured, as an operator would run it. */
export const GATEWAY_ENV = {
  ...SECRETS,
  NODE_ENV: 'production',
  NETWORK_ID,
  SAMPLE_DATA: 'none',
  PUBLIC_URL: 'http://bench.test',
};

/** How long and how often everything runs. */
export interface Scale {
  /** Requests under way at a time: alone, and many together. */
  connections: readonly [number, number];
  /** Rounds over all slices, each in an order of its own. */
  rounds: number;
  sliceMs: number;
  warmUpMs: number;
  /** Thousands of generated users around the measured records; 0 for none. */
  fill: number;
  /** Starts measured of each kind. */
  starts: number;
  /** Calls of each measurement of the store alone. */
  storeCalls: number;
}

export const FULL: Scale = {
  connections: [1, 32],
  rounds: 7,
  sliceMs: 800,
  warmUpMs: 1_500,
  fill: 1,
  starts: 3,
  storeCalls: 2_000,
};
/** Long enough to see that everything runs; too short to mean anything. */
export const SMOKE: Scale = {
  connections: [1, 4],
  rounds: 1,
  sliceMs: 200,
  warmUpMs: 0,
  fill: 0,
  starts: 1,
  storeCalls: 50,
};
