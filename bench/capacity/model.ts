/** Operations of the modelled workload. */
export const OPERATIONS = ['readPost', 'readPage', 'createPost', 'addReaction', 'sendMessage', 'markRead'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Processor time of one request in microseconds. */
export interface Cost {
  gatewayUs: number;
  storeUs: number;
}

/** What `npm run bench -- --capacity` measures. */
export interface Inputs {
  /** With one request at a time, and with many, whose reads are combined. */
  alone: Record<Operation, Cost>;
  together: Record<Operation, Cost>;
  /** Events that one request appends to the log. */
  events: Record<Operation, number>;
  stream: {
    /** For an event that no subscriber of the gateway receives: processor time of each gateway, and of the store for each. */
    gatewayUs: number;
    storeUs: number;
  };
  /** For an event that subscribers of the gateway receive: once per gateway beside the above, and for each subscriber. */
  rendering: { gatewayUs: number };
  delivery: { gatewayUs: number };
  /** A gateway without sockets, and what each connected socket adds. */
  memory: { gatewayMb: number; socketKb: number };
  /** Bytes of records and of indexes for each user of a generated network. */
  data: { recordBytes: number; indexBytes: number };
}

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
  const sockets = users * workload.onlineShare;
  const rates = ratesOf(sockets, workload);
  const requestsPerSecond = sum(rates);
  const eventsPerSecond = sum(rates, (operation) => inputs.events[operation]);
  const light = sum(rates, (operation) => inputs.alone[operation].gatewayUs) / US_PER_SECOND;
  const costs = light < LIGHT_LOAD ? inputs.alone : inputs.together;
  const requestCores = sum(rates, (operation) => costs[operation].gatewayUs) / US_PER_SECOND;
  const storeCores = sum(rates, (operation) => costs[operation].storeUs) / US_PER_SECOND;
  const deliveriesPerSecond = eventsPerSecond * workload.subscribersPerEvent;
  const gateways = gatewaysFor({ inputs, workload, eventsPerSecond, requestCores, reading });
  const receiving = receivingGateways(gateways ?? Number.POSITIVE_INFINITY, workload.subscribersPerEvent);
  const rendered = eventsPerSecond * receiving * inputs.rendering.gatewayUs;
  const deliveryCores = (rendered + deliveriesPerSecond * inputs.delivery.gatewayUs) / US_PER_SECOND;
  const read = gateways === null ? null : eventsPerSecond * (reading === 'all' ? gateways : receiving);
  const streamStoreCores = read === null ? null : (read * inputs.stream.storeUs) / US_PER_SECOND;
  const dataGb = (users * (inputs.data.recordBytes + inputs.data.indexBytes)) / 1e9;
  return {
    users,
    sockets,
    requestsPerSecond,
    writesPerSecond: sum(rates, (operation) => (operation.startsWith('read') ? 0 : 1)),
    eventsPerSecond,
    deliveriesPerSecond,
    requestCores,
    deliveryCores,
    gateways,
    streamShare: streamShareOf(inputs, eventsPerSecond * (reading === 'all' ? 1 : receiving / (gateways ?? 1))),
    gatewayMemoryMb:
      gateways === null ? null : inputs.memory.gatewayMb + (sockets / gateways) * (inputs.memory.socketKb / 1_024),
    storeCores,
    streamStoreCores,
    dataGb,
    shards:
      streamStoreCores === null
        ? null
        : Math.max(
            1,
            Math.ceil((storeCores + streamStoreCores) / (workload.coresPerShard * workload.utilization)),
            Math.ceil((dataGb * workload.hotShare) / workload.shardMemoryGb),
          ),
  };
}

/** Events per second at which reading all of them takes `share` of the core of every gateway. */
export const eventsAtShare = ({ stream }: Inputs, share: number): number => (share * US_PER_SECOND) / stream.gatewayUs;

/**
 * Processor time of a gateway and the store per request of the mix, when `gateways` processes read every event.
 * Compared with a measured run of the same mix.
 */
export function costOfMix(
  inputs: Inputs,
  { shares, isAlone, gateways }: { shares: Record<Operation, number>; isAlone: boolean; gateways: number },
): Cost {
  const costs = isAlone ? inputs.alone : inputs.together;
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
  eventsPerSecond: number;
  requestCores: number;
  reading: Reading;
}

/**
 * The smallest number of gateways, each with one core of which `utilization` is used: `gateways × utilization` must be
 * at least the cores of requests, deliveries, renderings, and of reading events.
 */
function gatewaysFor({ inputs, workload, eventsPerSecond, requestCores, reading }: Load): number | null {
  const deliveries = (eventsPerSecond * workload.subscribersPerEvent * inputs.delivery.gatewayUs) / US_PER_SECOND;
  const needed = (gateways: number) => {
    const receiving = receivingGateways(gateways, workload.subscribersPerEvent);
    const rendering = (eventsPerSecond * receiving * inputs.rendering.gatewayUs) / US_PER_SECOND;
    const readers = reading === 'all' ? gateways : receiving;
    // The cost of a write contains the reading of its events by one gateway.
    const stream = streamShareOf(inputs, eventsPerSecond) * (readers - 1);
    return (requestCores + deliveries + rendering + Math.max(0, stream)) / workload.utilization;
  };
  if (reading === 'all' && streamShareOf(inputs, eventsPerSecond) >= workload.utilization) return null;
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

function ratesOf(sockets: number, { perMinute }: Workload): Record<Operation, number> {
  const rates = OPERATIONS.map((operation) => [operation, (sockets * perMinute[operation]) / 60]);
  return Object.fromEntries(rates) as Record<Operation, number>;
}

function sum(amounts: Record<Operation, number>, weight: (operation: Operation) => number = () => 1): number {
  return OPERATIONS.reduce((total, operation) => total + amounts[operation] * weight(operation), 0);
}
