import {
  capacityFor,
  demandOf,
  eventsAtShare,
  type Inputs,
  OPERATIONS,
  type Reading,
  requestsPerSecondOf,
  USERS,
  utilizationOf,
  WORKLOAD,
} from './model.ts';
import { fallsBehind, type SimulatedCluster, type SimulationResult, simulate } from './simulate.ts';

interface Scenario {
  name: string;
  users: number;
  reading: Reading;
  gateways: number;
  shards: number;
  /** Share of the events that are published. @default 1 */
  eventShare?: number;
  expected: 'steady' | 'overloaded';
}

/** A simulated cluster beside what the model says about it. */
export interface Simulated extends Omit<Scenario, 'eventShare'> {
  /** Part of the cluster that is simulated, with this part of the users. */
  part: number;
  /** Busy share of the processors according to the model. */
  model: { gateways: number; shards: number };
  result: SimulationResult;
  outcome: 'steady' | 'overloaded';
}

/** Requests per second of a simulation, and all of its requests: more take minutes. */
const MOST_PER_SECOND = 5_000;
const REQUESTS = 30_000;
const WARM_UP_SECONDS = 2;
const [SHORTEST, LONGEST] = [5, 300];
/** Share above which the utilization of a steady cluster may differ from that of the model, and the least difference. */
export const UTILIZATION_TOLERANCE = { share: 0.1, least: 0.02 } as const;

/** Simulates the clusters that the model sizes, clusters that are too small, and clusters beyond the end of this design. */
export const simulateClusters = (inputs: Inputs): Simulated[] =>
  scenariosFor(inputs).map((scenario) => simulateScenario(inputs, scenario));

export function simulateScenario(inputs: Inputs, { eventShare = 1, ...scenario }: Scenario): Simulated {
  const { users, gateways, shards, reading } = scenario;
  const modelled = withEvents(inputs, eventShare);
  const requestsPerSecond = requestsPerSecondOf(users);
  const part = 1 / Math.ceil(requestsPerSecond / MOST_PER_SECOND);
  const simulated = {
    users: users * part,
    gateways: Math.max(1, Math.round(gateways * part)),
    shards: Math.max(1, Math.round(shards * part)),
  };
  const result = simulate(clusterOf(modelled, { ...simulated, reading, part, gatewaysOfAll: gateways }), {
    warmUp: WARM_UP_SECONDS,
    seconds: Math.min(LONGEST, Math.max(SHORTEST, REQUESTS / (requestsPerSecond * part))),
    seed: `capacity/${scenario.name}`,
  });
  const whole = utilizationOf(modelled, { users, gateways, shards, reading });
  return {
    ...scenario,
    part,
    // The numbers of a part are rounded.
    model: {
      gateways: (whole.gateways * gateways * part) / simulated.gateways,
      shards: (whole.shards * shards * part) / simulated.shards,
    },
    result,
    outcome: fallsBehind(result.gateways) || fallsBehind(result.shards) ? 'overloaded' : 'steady',
  };
}

/** What contradicts the model. */
export function faultsOfSimulations(simulations: readonly Simulated[]): string[] {
  return simulations.flatMap(({ name, expected, outcome, model, result }) => {
    if (outcome !== expected) return [`${name}: ${outcome}, and the model says ${expected}.`];
    if (outcome === 'overloaded') return [];
    return (['gateways', 'shards'] as const).flatMap((kind) => {
      const { share, least } = UTILIZATION_TOLERANCE;
      const [is, predicted] = [result[kind].utilization, model[kind]];
      if (Math.abs(is - predicted) <= Math.max(least, share * predicted)) return [];
      return [`${name}: the ${kind} are busy for ${percent(is)}, and the model says ${percent(predicted)}.`];
    });
  });
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** A fraction of the gateways that the model plans, which cannot be sufficient with a planned load above it. */
const TOO_FEW = 0.5;
/** Gateways that read every event when that takes more than a core. */
const UNENDING = [32, 128] as const;
/** Share of the core of each gateway that the stream takes with about twice as many users as the planned share allows. */
const BEYOND = 1.25;
/** Share of the events that is published if clients need fewer of them. */
const FEWER = 1 / 3;

function scenariosFor(inputs: Inputs): Scenario[] {
  const [few, many, most] = USERS;
  const perUser = demandOf(inputs, many).eventsPerSecond / many;
  const usersAt = (share: number) => Math.round(eventsAtShare(inputs, share) / perUser);
  const planned = (users: number, reading: Reading, eventShare = 1) => {
    const { gateways, shards } = capacityFor(withEvents(inputs, eventShare), users, reading);
    return { users, reading, gateways: gateways!, shards: shards!, expected: 'steady' as const };
  };
  const large = planned(most, 'relevant');
  const served = usersAt(WORKLOAD.utilization / 2);
  const beyond = usersAt(BEYOND);
  const unserved = UNENDING.map((gateways): Scenario => {
    const { shards } = utilizationOf(inputs, { users: beyond, gateways, shards: 1, reading: 'all' });
    return {
      name: `twice the limit, ${gateways} gateways`,
      users: beyond,
      reading: 'all',
      gateways,
      shards: Math.max(1, Math.ceil(shards / WORKLOAD.utilization)),
      expected: 'overloaded',
    };
  });
  return [
    { name: 'smallest', ...planned(few, 'all') },
    { name: 'half of the limit', ...planned(served, 'all') },
    ...unserved,
    { name: 'twice the limit, a third of the events', ...planned(beyond, 'all', FEWER), eventShare: FEWER },
    { name: 'twice the limit, relevant events', ...planned(beyond, 'relevant') },
    { name: 'middle, relevant events', ...planned(many, 'relevant') },
    { name: 'largest, relevant events', ...large },
    {
      name: 'largest, half of the gateways',
      ...large,
      gateways: Math.floor(large.gateways * TOO_FEW),
      expected: 'overloaded',
    },
    { name: 'largest, every event', ...large, reading: 'all', expected: 'overloaded' },
  ];
}

function withEvents(inputs: Inputs, share: number): Inputs {
  const events = OPERATIONS.map((operation) => [operation, inputs.events[operation] * share]);
  return { ...inputs, events: Object.fromEntries(events) as Inputs['events'] };
}

interface Part {
  users: number;
  gateways: number;
  shards: number;
  reading: Reading;
  part: number;
  /** Gateways of the whole cluster. */
  gatewaysOfAll: number;
}

function clusterOf(inputs: Inputs, { users, gateways, shards, reading, part, gatewaysOfAll }: Part): SimulatedCluster {
  const demand = demandOf(inputs, users);
  const elsewhere = demand.eventsPerSecond / part - demand.eventsPerSecond;
  return {
    gateways,
    shards,
    coresPerShard: WORKLOAD.coresPerShard,
    operations: OPERATIONS.map((operation) => ({
      perSecond: demand.rates[operation],
      ...demand.costs[operation],
      events: inputs.events[operation],
    })),
    events: {
      reading,
      gatewayUs: inputs.stream.gatewayUs,
      storeUs: inputs.stream.storeUs,
      renderingUs: inputs.rendering.gatewayUs,
      deliveryUs: inputs.delivery.gatewayUs,
      subscribers: WORKLOAD.subscribersPerEvent,
      elsewhere: { eventsPerSecond: elsewhere, gateways: part === 1 ? 0 : gatewaysOfAll - gateways },
    },
  };
}
