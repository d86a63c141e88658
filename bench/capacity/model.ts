/** Operations of the modelled workload. */
export const OPERATIONS = ['readPost', 'readPage', 'createPost', 'addReaction', 'sendMessage', 'markRead'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Processor time of one request in microseconds. */
export interface Cost {
  gatewayUs: number;
  storeUs: number;
}

/** What `npm run bench -- --capacity` measures, each operation among requests of the others. */
export interface Inputs {
  /** On a gateway with the requests of the smallest number of users, and on one with as many as it answers. */
  light: Record<Operation, Cost>;
  busy: Record<Operation, Cost>;
  /** Events that one request appends to the log. */
  events: Record<Operation, number>;
  stream: {
    /** For an event that no subscriber of the gateway receives: processor time of each gateway, and of the store for each. */
    gatewayUs: number;
    storeUs: number;
  };
  /** For an event that subscribers of the gateway receive: once per gateway beside `stream`, and for each subscriber. */
  rendering: { gatewayUs: number };
  delivery: { gatewayUs: number };
  memory: {
    /** Of a gateway without sockets after the load, with full caches. */
    gatewayMb: number;
  };
  /** Bytes for each user of a generated network in the embedded store, without its change log. */
  data: {
    /** As BSON, and the pages that contain it. */
    recordBytes: number;
    recordPageBytes: number;
    /** Pages of the index entries. */
    indexBytes: number;
  };
}

/** Results of other measurements, which this bench does not repeat; docs/capacity.md names their sources. */
export interface Known {
  /** Memory of a socket with a subscription. After other work, a gateway has freed memory that some hundred sockets take. */
  socketKb: number;
  /** Indexes of a user in MongoDB, which compresses common prefixes of neighbouring entries. */
  mongodbIndexBytes: number;
}

export const KNOWN: Known = { socketKb: 14, mongodbIndexBytes: 85_000 };

/** Assumptions about the users and the machines; docs/capacity.md lists them. */
export interface Workload {
  /** Share of the users that are connected at the peak. */
  onlineShare: number;
  /** Requests of a connected user per minute. */
  perMinute: Record<Operation, number>;
  /** Connected users that receive an event. */
  subscribersPerEvent: number;
  /** Share of a core that is planned for; the rest is for peaks and failed machines. */
  utilization: number;
  coresPerShard: number;
  /** Memory of the primary of a shard for records and indexes. */
  shardMemoryGb: number;
  /** Share of the records and index entries that are in use at the peak. */
  hotShare: number;
}

export const WORKLOAD: Workload = {
  onlineShare: 0.05,
  perMinute: { readPost: 2, readPage: 2, createPost: 0.05, addReaction: 0.4, sendMessage: 0.5, markRead: 1 },
  subscribersPerEvent: 20,
  utilization: 0.6,
  coresPerShard: 16,
  shardMemoryGb: 64,
  hotShare: 0.3,
};

/** Numbers of users that docs/capacity.md shows. */
export const USERS = [10_000, 1_000_000, 100_000_000] as const;

/** Load below which a gateway rarely has several requests at a time, as a share of a core. */
const LIGHT_LOAD = 0.2;

const US_PER_SECOND = 1e6;

export interface Capacity {
  users: number;
  sockets: number;
  requestsPerSecond: number;
  writesPerSecond: number;
  eventsPerSecond: number;
  deliveriesPerSecond: number;
  /** Cores that requests, and deliveries with their rendering, take over all gateways. */
  requestCores: number;
  deliveryCores: number;
  /** Gateway processes of one core; null: each would be busy with the stream before it serves a request. */
  gateways: number | null;
  /** Share of a core that each gateway spends on events which none of its subscribers receive. */
  streamShare: number;
  gatewayMemoryMb: number | null;
  /** Cores of the store for requests, and for sending each event to each gateway. */
  storeCores: number;
  streamStoreCores: number | null;
  dataGb: number;
  /** By processor time and by memory, whichever needs more; null without a number of gateways. */
  shards: number | null;
}

/** Which gateways read which events: `all`, each the whole log; `relevant`, each only events for its own subscribers. */
export type Reading = 'all' | 'relevant';

/** What a number of users needs at the peak. */
export function capacityFor(inputs: Inputs, users: number, reading: Reading = 'all', workload = WORKLOAD): Capacity {
  const demand = demandOf(inputs, users, workload);
  const { sockets, rates, eventsPerSecond, deliveriesPerSecond, requestCores, storeCores } = demand;
  const load = { inputs, workload, demand, reading };
  const gateways = gatewaysFor(load);
  const receiving = receivingGateways(gateways ?? Number.POSITIVE_INFINITY, workload.subscribersPerEvent);
  const loaded = gateways === null ? null : loadOn(load, gateways);
  const dataGb = (users * (inputs.data.recordBytes + KNOWN.mongodbIndexBytes)) / 1e9;
  return {
    users,
    sockets,
    requestsPerSecond: sum(rates),
    writesPerSecond: sum(rates, (operation) => (operation.startsWith('read') ? 0 : 1)),
    eventsPerSecond,
    deliveriesPerSecond,
    requestCores,
    deliveryCores: deliveryCoresOf(load, receiving),
    gateways,
    streamShare: streamShareOf(inputs, eventsPerSecond * (reading === 'all' ? 1 : receiving / (gateways ?? 1))),
    gatewayMemoryMb:
      gateways === null ? null : inputs.memory.gatewayMb + (sockets / gateways) * (KNOWN.socketKb / 1_024),
    storeCores,
    streamStoreCores: loaded?.streamStoreCores ?? null,
    dataGb,
    shards:
      loaded &&
      Math.max(
        1,
        Math.ceil((storeCores + loaded.streamStoreCores) / (workload.coresPerShard * workload.utilization)),
        Math.ceil((dataGb * workload.hotShare) / workload.shardMemoryGb),
      ),
  };
}

/** What a number of users does at the peak, and the cores that their requests take. */
export interface Demand {
  sockets: number;
  rates: Record<Operation, number>;
  costs: Record<Operation, Cost>;
  eventsPerSecond: number;
  deliveriesPerSecond: number;
  requestCores: number;
  storeCores: number;
}

export function demandOf(inputs: Inputs, users: number, workload = WORKLOAD): Demand {
  const sockets = users * workload.onlineShare;
  const rates = ratesOf(sockets, workload);
  const eventsPerSecond = sum(rates, (operation) => inputs.events[operation]);
  const light = sum(rates, (operation) => inputs.light[operation].gatewayUs) / US_PER_SECOND;
  const costs = light < LIGHT_LOAD ? inputs.light : inputs.busy;
  return {
    sockets,
    rates,
    costs,
    eventsPerSecond,
    deliveriesPerSecond: eventsPerSecond * workload.subscribersPerEvent,
    requestCores: sum(rates, (operation) => costs[operation].gatewayUs) / US_PER_SECOND,
    storeCores: sum(rates, (operation) => costs[operation].storeUs) / US_PER_SECOND,
  };
}

/** The shares of the cores of a number of gateways and shards that the users need; above 1, they are too few. */
export function utilizationOf(
  inputs: Inputs,
  { users, gateways, shards, reading }: { users: number; gateways: number; shards: number; reading: Reading },
  workload = WORKLOAD,
): { gateways: number; shards: number } {
  const demand = demandOf(inputs, users, workload);
  const { gatewayCores, streamStoreCores } = loadOn({ inputs, workload, demand, reading }, gateways);
  return {
    gateways: gatewayCores / gateways,
    shards: (demand.storeCores + streamStoreCores) / (shards * workload.coresPerShard),
  };
}

/**
 * Costs of the operations from measured mixes of requests. In the mix of an operation, a part of the requests is this
 * operation and the others are those of the whole mix, so that caches and records are in the state that the mix causes.
 * With the part w, the cost x of an operation, and the cost m of the whole mix, a measured mix costs w·x + (1 − w)·m;
 * weighted by the shares of the operations, these costs sum up to m.
 */
export function costsFromMixes(
  mixes: Record<Operation, Cost>,
  { shares, part }: { shares: Record<Operation, number>; part: number },
): Record<Operation, Cost> {
  const total = sum(shares);
  const separate = (operation: Operation, kind: keyof Cost) => {
    const whole = sum(shares, (other) => mixes[other][kind]) / total;
    return (mixes[operation][kind] - (1 - part) * whole) / part;
  };
  const costs = OPERATIONS.map((operation) => [
    operation,
    { gatewayUs: separate(operation, 'gatewayUs'), storeUs: separate(operation, 'storeUs') },
  ]);
  return Object.fromEntries(costs) as Record<Operation, Cost>;
}

/** Events per second at which reading all of them takes `share` of the core of every gateway. */
export const eventsAtShare = ({ stream }: Inputs, share: number): number => (share * US_PER_SECOND) / stream.gatewayUs;

/**
 * Processor time of a gateway and the store per request of the mix, when `gateways` processes read every event.
 * Compared with a measured run of the same mix.
 */
export function costOfMix(
  inputs: Inputs,
  { shares, isLight, gateways }: { shares: Record<Operation, number>; isLight: boolean; gateways: number },
): Cost {
  const costs = isLight ? inputs.light : inputs.busy;
  const total = sum(shares);
  const events = sum(shares, (operation) => inputs.events[operation]) / total;
  // The measured costs of a write contain the reading of its events by one gateway.
  const further = events * (gateways - 1);
  return {
    gatewayUs: sum(shares, (operation) => costs[operation].gatewayUs) / total + further * inputs.stream.gatewayUs,
    storeUs: sum(shares, (operation) => costs[operation].storeUs) / total + further * inputs.stream.storeUs,
  };
}

interface Load {
  inputs: Inputs;
  workload: Workload;
  demand: Demand;
  reading: Reading;
}

/** Cores that all of `gateways` need, and those of the store for sending events to them. */
function loadOn(load: Load, gateways: number): { gatewayCores: number; streamStoreCores: number } {
  const { inputs, workload, demand, reading } = load;
  const receiving = receivingGateways(gateways, workload.subscribersPerEvent);
  // The cost of a write contains the reading of its events by one gateway.
  const further = Math.max(0, (reading === 'all' ? gateways : receiving) - 1);
  const read = (demand.eventsPerSecond * further) / US_PER_SECOND;
  return {
    gatewayCores: demand.requestCores + deliveryCoresOf(load, receiving) + read * inputs.stream.gatewayUs,
    streamStoreCores: read * inputs.stream.storeUs,
  };
}

function deliveryCoresOf({ inputs, demand }: Load, receivingGateways: number): number {
  const rendered = demand.eventsPerSecond * receivingGateways * inputs.rendering.gatewayUs;
  return (rendered + demand.deliveriesPerSecond * inputs.delivery.gatewayUs) / US_PER_SECOND;
}

/**
 * The smallest number of gateways, each with one core of which `utilization` is used: `gateways × utilization` must be
 * at least the cores of requests, deliveries, renderings, and of reading events.
 */
function gatewaysFor(load: Load): number | null {
  const { inputs, workload, demand, reading } = load;
  const needed = (gateways: number) => loadOn(load, gateways).gatewayCores / workload.utilization;
  if (reading === 'all' && streamShareOf(inputs, demand.eventsPerSecond) >= workload.utilization) return null;
  let count = 1;
  while (needed(count) > count) count = Math.max(count + 1, Math.min(count * 2, Math.ceil(needed(count))));
  while (count > 1 && needed(count - 1) <= count - 1) count -= 1;
  return count;
}

const streamShareOf = ({ stream }: Inputs, eventsPerSecond: number): number =>
  (eventsPerSecond * stream.gatewayUs) / US_PER_SECOND;

/** How many of the gateways have at least one of an event's subscribers, who are spread evenly. */
function receivingGateways(gateways: number, subscribers: number): number {
  if (gateways === Number.POSITIVE_INFINITY) return subscribers;
  return gateways * (1 - (1 - 1 / gateways) ** subscribers);
}

/** Requests at the peak of a number of users. */
export const requestsPerSecondOf = (users: number, workload = WORKLOAD): number =>
  sum(ratesOf(users * workload.onlineShare, workload));

function ratesOf(sockets: number, { perMinute }: Workload): Record<Operation, number> {
  const rates = OPERATIONS.map((operation) => [operation, (sockets * perMinute[operation]) / 60]);
  return Object.fromEntries(rates) as Record<Operation, number>;
}

function sum(amounts: Record<Operation, number>, weight: (operation: Operation) => number = () => 1): number {
  return OPERATIONS.reduce((total, operation) => total + amounts[operation] * weight(operation), 0);
}
