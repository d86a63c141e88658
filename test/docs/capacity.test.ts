import { expect, test } from 'vitest';
import { faultsOfRuns } from '../../bench/capacity/faults.ts';
import {
  type Cost,
  capacityFor,
  costOfMix,
  costsFromMixes,
  eventsAtShare,
  type Inputs,
  KNOWN,
  OPERATIONS,
  type Operation,
  requestsPerSecondOf,
  utilizationOf,
  WORKLOAD,
} from '../../bench/capacity/model.ts';

const each = <Value>(value: Value) =>
  Object.fromEntries(OPERATIONS.map((operation) => [operation, value])) as Record<(typeof OPERATIONS)[number], Value>;

const INPUTS: Inputs = {
  light: each({ gatewayUs: 2_000, storeUs: 1_000 }),
  busy: each({ gatewayUs: 1_000, storeUs: 500 }),
  events: { ...each(1), readPost: 0, readPage: 0 },
  stream: { gatewayUs: 100, storeUs: 50 },
  rendering: { gatewayUs: 200 },
  delivery: { gatewayUs: 10 },
  memory: { gatewayMb: 200 },
  data: { recordBytes: 60_000, recordPageBytes: 80_000, indexBytes: 100_000 },
};

test('the gateways of the capacity model take their load, and one fewer would not', () => {
  for (const users of [10_000, 300_000, 1_000_000]) {
    const { gateways, requestCores, deliveryCores, streamShare } = capacityFor(INPUTS, users);
    const load = (count: number) => requestCores + deliveryCores + streamShare * (count - 1);
    expect(load(gateways!)).toBeLessThanOrEqual(gateways! * WORKLOAD.utilization);
    // With fewer gateways an event is rendered less often, by less than one gateway's share of its renderings.
    if (gateways! > 1) expect(load(gateways!)).toBeGreaterThan((gateways! - 2) * WORKLOAD.utilization);
  }
});

test('no number of gateways is sufficient when each spends its core on the stream', () => {
  const perUser = capacityFor(INPUTS, 1_000_000).eventsPerSecond / 1_000_000;
  const limit = eventsAtShare(INPUTS, WORKLOAD.utilization) / perUser;
  expect(capacityFor(INPUTS, limit * 0.9).gateways).toBeGreaterThan(1);
  expect(capacityFor(INPUTS, limit * 1.01)).toMatchObject({ gateways: null, shards: null });
  expect(capacityFor(INPUTS, limit * 1.01, 'relevant').gateways).toBeGreaterThan(1);
});

test('each further gateway adds the cost of its stream to a request', () => {
  const mix = { shares: WORKLOAD.perMinute, isLight: false };
  const [one, two] = [1, 2].map((gateways) => costOfMix(INPUTS, { ...mix, gateways }));
  const requests = OPERATIONS.reduce((sum, operation) => sum + WORKLOAD.perMinute[operation], 0);
  const events = OPERATIONS.reduce(
    (sum, operation) => sum + WORKLOAD.perMinute[operation] * INPUTS.events[operation],
    0,
  );
  expect(two!.gatewayUs - one!.gatewayUs).toBeCloseTo((events / requests) * INPUTS.stream.gatewayUs);
  expect(two!.storeUs - one!.storeUs).toBeCloseTo((events / requests) * INPUTS.stream.storeUs);
});

test('the planned gateways and shards have at most the planned utilization', () => {
  for (const [users, reading] of [
    [300_000, 'all'],
    [1_000_000, 'relevant'],
    [100_000_000, 'relevant'],
  ] as const) {
    const { gateways, shards } = capacityFor(INPUTS, users, reading);
    const planned = utilizationOf(INPUTS, { users, reading, gateways: gateways!, shards: shards! });
    expect(planned.gateways).toBeLessThanOrEqual(WORKLOAD.utilization);
    expect(planned.gateways).toBeGreaterThan(WORKLOAD.utilization * 0.85);
    expect(planned.shards).toBeLessThanOrEqual(WORKLOAD.utilization);
    const half = utilizationOf(INPUTS, { users, reading, gateways: Math.floor(gateways! / 2), shards: shards! });
    expect(half.gateways).toBeGreaterThan(reading === 'all' ? WORKLOAD.utilization * 1.5 : 1);
  }
});

test('costs of operations follow from mixes in which each of them is frequent', () => {
  const costs = Object.fromEntries(
    OPERATIONS.map((operation, index) => [operation, { gatewayUs: 1_000 * (index + 1), storeUs: 500 * (index + 2) }]),
  ) as Record<Operation, Cost>;
  const shares = WORKLOAD.perMinute;
  const inputs = { ...INPUTS, busy: costs };
  const whole = costOfMix(inputs, { shares, isLight: false, gateways: 1 });
  const part = 0.5;
  const mixed = (operation: Operation, kind: keyof Cost) => part * costs[operation][kind] + (1 - part) * whole[kind];
  const mixes = Object.fromEntries(
    OPERATIONS.map((operation) => [
      operation,
      { gatewayUs: mixed(operation, 'gatewayUs'), storeUs: mixed(operation, 'storeUs') },
    ]),
  ) as Record<Operation, Cost>;
  const found = costsFromMixes(mixes, { shares, part });
  for (const operation of OPERATIONS) {
    expect(found[operation].gatewayUs).toBeCloseTo(costs[operation].gatewayUs);
    expect(found[operation].storeUs).toBeCloseTo(costs[operation].storeUs);
  }
});

test('the requests, records and shards of the capacity model follow from the users', () => {
  const users = 2_000_000;
  const perMinute = OPERATIONS.reduce((sum, operation) => sum + WORKLOAD.perMinute[operation], 0);
  expect(requestsPerSecondOf(users)).toBeCloseTo((users * WORKLOAD.onlineShare * perMinute) / 60);
  const costly = { ...INPUTS, data: { ...INPUTS.data, recordBytes: 10_000_000 } };
  const { dataGb, shards } = capacityFor(costly, users, 'relevant');
  expect(dataGb).toBeCloseTo((users * (10_000_000 + KNOWN.mongodbIndexBytes)) / 1e9);
  expect(shards).toBe(Math.ceil((dataGb * WORKLOAD.hotShare) / WORKLOAD.shardMemoryGb));
});

test('a prediction outside its tolerance is reported, and so is an input below the noise', () => {
  const cost = (us: number): Cost => ({ gatewayUs: us, storeUs: us });
  const check = { workers: 1, users: 10_000, connections: 32, requestsPerSecond: 50, tolerance: 0.25 };
  const faults = (model: number, measured: number, belowNoise: string[] = []) =>
    faultsOfRuns({ checks: [{ ...check, model: cost(model), measured: cost(measured) }], belowNoise });
  expect(faults(100, 100)).toEqual([]);
  expect(faults(76, 100)).toEqual([]);
  expect(faults(124, 100)).toEqual([]);
  for (const model of [74, 126]) {
    expect(faults(model, 100)).toEqual([
      expect.stringContaining(`${model / 100} of the measured cost of the gateway, outside 1 ± 0.25`),
      expect.stringContaining(`${model / 100} of the measured cost of the store, outside 1 ± 0.25`),
    ]);
  }
  expect(faults(100, 100, ['rendering an event'])).toEqual([
    'The measured cost of rendering an event is below the noise.',
  ]);
});
