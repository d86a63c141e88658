import { expect, test } from 'vitest';
import { faultsOfSimulations, type Simulated } from '../../bench/capacity/scenarios.ts';
import { fallsBehind, type SimulatedCluster, simulate } from '../../bench/capacity/simulate.ts';

const NO_EVENTS: SimulatedCluster['events'] = {
  reading: 'all',
  gatewayUs: 0,
  storeUs: 0,
  renderingUs: 0,
  deliveryUs: 0,
  subscribers: 0,
  elsewhere: { eventsPerSecond: 0, gateways: 0 },
};
const LONG = { warmUp: 20, seconds: 2_000, seed: 'test' };
const SHORT = { warmUp: 2, seconds: 20, seed: 'test' };

/** Mean processor times of 10 ms at the gateway, and of 20 ms at a shard with two processors. */
const cluster = (perSecond: number, others: Partial<SimulatedCluster> = {}): SimulatedCluster => ({
  gateways: 1,
  shards: 1,
  coresPerShard: 2,
  operations: [{ perSecond, gatewayUs: 10_000, storeUs: 20_000, events: 0 }],
  events: NO_EVENTS,
  ...others,
});

const isWithin = (value: number | null, expected: number, share: number) =>
  expect(Math.abs(value! / expected - 1), `${value}, expected ${expected}`).toBeLessThan(share);

test.each([0.5, 0.8])(
  'a simulated gateway that is busy for %d of the time has the waiting times of an M/M/1 queue',
  (load) => {
    const { gateways } = simulate(cluster(100 * load), LONG);
    isWithin(gateways.utilization, load, 0.03);
    // A service rate of 100/s: mean ρ ÷ (μ − λ), and P(wait > t) = ρ e^(−(μ − λ) t).
    isWithin(gateways.meanMs, (1_000 * load) / (100 - 100 * load), 0.1);
    isWithin(gateways.p99Ms, (1_000 * Math.log(load / 0.01)) / (100 - 100 * load), 0.1);
    expect(fallsBehind(gateways)).toBe(false);
  },
);

test('a simulated shard with two processors has the waiting time of an M/M/2 queue', () => {
  const { shards } = simulate(cluster(50), LONG);
  isWithin(shards.utilization, 0.5, 0.03);
  // Erlang’s C for two processors that are busy for half of the time is 1 ÷ 3.
  isWithin(shards.meanMs, 1_000 / 3 / 50, 0.1);
});

test('the same seed gives the same simulation, another one does not', () => {
  const run = (seed: string) => simulate(cluster(50), { ...SHORT, seed });
  expect(run('one')).toEqual(run('one'));
  expect(run('one').gateways.meanMs).not.toBe(run('other').gateways.meanMs);
});

test('a queue that grows is detected at the gateways and at the shards', () => {
  const slowGateway = simulate(cluster(130, { coresPerShard: 4 }), SHORT);
  expect([fallsBehind(slowGateway.gateways), fallsBehind(slowGateway.shards)]).toEqual([true, false]);
  expect(slowGateway.gateways.utilization).toBeCloseTo(1);
  const slowShard = simulate(cluster(130, { gateways: 4 }), SHORT);
  expect([fallsBehind(slowShard.gateways), fallsBehind(slowShard.shards)]).toEqual([false, true]);
});

/** 100 events per second, each of which costs a gateway that reads it 8 ms and is for two subscribers. */
const withEvents = (gateways: number, reading: 'all' | 'relevant'): SimulatedCluster => ({
  gateways,
  shards: 4,
  coresPerShard: 4,
  operations: [{ perSecond: 100, gatewayUs: 1_000, storeUs: 1_000, events: 1 }],
  events: {
    ...NO_EVENTS,
    reading,
    gatewayUs: 8_000,
    storeUs: 100,
    renderingUs: 1_000,
    deliveryUs: 100,
    subscribers: 2,
  },
});

test('more gateways do not relieve gateways that read every event, as relevant events do', () => {
  const busy = (gateways: number, reading: 'all' | 'relevant') =>
    simulate(withEvents(gateways, reading), { ...SHORT, seconds: 60 }).gateways.utilization;
  // Each reads the events of the others: 0.8 × 19 ÷ 20. Requests, renderings and deliveries take 0.32 cores altogether.
  isWithin(busy(20, 'all'), 0.8 * (19 / 20) + 0.32 / 20, 0.05);
  isWithin(busy(80, 'all'), 0.8 * (79 / 80) + 0.32 / 80, 0.05);
  // Of two subscribers’ gateways, one is read for by the write.
  isWithin(busy(80, 'relevant'), (0.8 + 0.32) / 80, 0.1);
});

test('a gateway of a part of a cluster reads the events of the whole cluster', () => {
  const part = withEvents(20, 'all');
  const elsewhere = { eventsPerSecond: 50, gateways: 10 };
  const { gateways } = simulate({ ...part, events: { ...part.events, elsewhere } }, SHORT);
  expect(fallsBehind(gateways)).toBe(true);
});

test('a simulated cluster that contradicts the model is reported', () => {
  const result = simulate(cluster(50), SHORT);
  const simulated: Simulated = {
    name: 'one gateway',
    users: 1,
    reading: 'all',
    gateways: 1,
    shards: 1,
    part: 1,
    expected: 'steady',
    outcome: 'steady',
    model: { gateways: result.gateways.utilization, shards: result.shards.utilization },
    result,
  };
  expect(faultsOfSimulations([simulated])).toEqual([]);
  expect(faultsOfSimulations([{ ...simulated, outcome: 'overloaded' }])).toEqual([
    'one gateway: overloaded, and the model says steady.',
  ]);
  const faults = faultsOfSimulations([{ ...simulated, model: { gateways: 0.7, shards: simulated.model.shards } }]);
  expect(faults).toEqual([expect.stringMatching(/^one gateway: the gateways are busy for .* says 70.0 %\.$/)]);
});
