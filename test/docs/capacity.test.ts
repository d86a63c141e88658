import { expect, test } from 'vitest';
import {
  capacityFor,
  costOfMix,
  eventsAtShare,
  type Inputs,
  OPERATIONS,
  WORKLOAD,
} from '../../bench/capacity/model.ts';

const each = <Value>(value: Value) =>
  Object.fromEntries(OPERATIONS.map((operation) => [operation, value])) as Record<(typeof OPERATIONS)[number], Value>;

const INPUTS: Inputs = {
  alone: each({ gatewayUs: 2_000, storeUs: 1_000 }),
  together: each({ gatewayUs: 1_000, storeUs: 500 }),
  events: { ...each(1), readPost: 0, readPage: 0 },
  stream: { gatewayUs: 100, storeUs: 50 },
  rendering: { gatewayUs: 200 },
  delivery: { gatewayUs: 10 },
  memory: { gatewayMb: 200, socketKb: 20 },
  data: { recordBytes: 60_000, indexBytes: 40_000 },
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
  const mix = { shares: WORKLOAD.perMinute, isAlone: false };
  const [one, two] = [1, 2].map((gateways) => costOfMix(INPUTS, { ...mix, gateways }));
  const requests = OPERATIONS.reduce((sum, operation) => sum + WORKLOAD.perMinute[operation], 0);
  const events = OPERATIONS.reduce(
    (sum, operation) => sum + WORKLOAD.perMinute[operation] * INPUTS.events[operation],
    0,
  );
  expect(two!.gatewayUs - one!.gatewayUs).toBeCloseTo((events / requests) * INPUTS.stream.gatewayUs);
  expect(two!.storeUs - one!.storeUs).toBeCloseTo((events / requests) * INPUTS.stream.storeUs);
});
