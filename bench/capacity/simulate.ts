import { createRandom, type Random } from '../../src/sample/scale/random.ts';
import { mean, percentile, sorted } from '../stats.ts';
import { type Agenda, createAgenda, createStation, type Station } from './queues.ts';

/** Requests of one kind; mean processor times in microseconds. */
export interface SimulatedOperation {
  perSecond: number;
  gatewayUs: number;
  storeUs: number;
  /** Events that one request appends to the log; the fraction is a probability. */
  events: number;
}

export interface SimulatedEvents {
  /** `all`: each gateway reads every event; `relevant`: those for its own subscribers. */
  reading: 'all' | 'relevant';
  /** Processor time of a gateway that reads an event, and of the store for each gateway that reads it. */
  gatewayUs: number;
  storeUs: number;
  /** Processor time of a gateway with subscribers of an event: once, and for each of them. */
  renderingUs: number;
  deliveryUs: number;
  subscribers: number;
  /**
   * The simulated part may belong to a larger cluster, whose other gateways and events have to be read as well. Both are 0
   * in a cluster that is simulated in full.
   */
  elsewhere: { eventsPerSecond: number; gateways: number };
}

export interface SimulatedCluster {
  gateways: number;
  shards: number;
  coresPerShard: number;
  operations: readonly SimulatedOperation[];
  events: SimulatedEvents;
}

export interface SimulatedTime {
  /** Seconds before the measured part, in which the queues fill. */
  warmUp: number;
  seconds: number;
  /** The same seed gives the same result. */
  seed: string;
}

/** What a request meets at the gateways, or at the shards. */
export interface StationResult {
  /** Share of the processors that is busy, mean over all of them. */
  utilization: number;
  /** Milliseconds for which a request waits for a processor; null if no request arrived. */
  meanMs: number | null;
  p50Ms: number | null;
  p99Ms: number | null;
  /** By how many seconds the work in the queues grows in each second, mean over all of them. */
  growth: number;
}

export interface SimulationResult {
  requests: number;
  gateways: StationResult;
  shards: StationResult;
}

/** Queues whose work grows by more than this share of the time have no end. */
const STEADY_GROWTH = 0.02;

export const fallsBehind = ({ growth }: StationResult): boolean => growth > STEADY_GROWTH;

/** Gateways that read every event get the events of this many seconds together. */
const BATCH_SECONDS = 0.01;

/**
 * Simulates a cluster as queues. Requests arrive at random (Poisson) at a random gateway, which is one processor that
 * serves in the order of arrival, then at the shard of a random key, which has several processors and one queue. Processor
 * times are exponentially distributed, except those of reading and delivering events, which are constant. When the shard
 * has finished a write, its events reach the gateways that read them, and the gateways of its subscribers.
 */
export function simulate(cluster: SimulatedCluster, { warmUp, seconds, seed }: SimulatedTime): SimulationResult {
  const random = createRandom(seed);
  const end = warmUp + seconds;
  const stations = (count: number, processors: number) =>
    Array.from({ length: count }, () => createStation(processors, warmUp, end));
  const gateways = stations(cluster.gateways, 1);
  const shards = stations(cluster.shards, cluster.coresPerShard);
  const agenda = createAgenda();
  const waits = { gateways: [] as number[], shards: [] as number[] };
  const exponential = (average: number) => (average === 0 ? 0 : -Math.log(1 - random.next()) * average);
  const publish = createPublisher({ cluster, gateways, shards, agenda, random, end });

  for (const operation of cluster.operations) {
    const arrive = (at: number): void => {
      const gateway = random.below(cluster.gateways);
      const wait = (list: number[], milliseconds: number) => {
        if (at >= warmUp) list.push(milliseconds);
      };
      const atGateway = gateways[gateway]!.serve(at, exponential(operation.gatewayUs / 1e6));
      wait(waits.gateways, atGateway.waited * 1e3);
      agenda.add(atGateway.until, (sentAt) => {
        const shard = random.below(cluster.shards);
        const atShard = shards[shard]!.serve(sentAt, exponential(operation.storeUs / 1e6));
        wait(waits.shards, atShard.waited * 1e3);
        const whole = Math.floor(operation.events);
        const count = whole + (random.next() < operation.events - whole ? 1 : 0);
        if (count === 0) return;
        agenda.add(atShard.until, (writtenAt) => {
          for (let event = 0; event < count; event += 1) publish(writtenAt, gateway, shard);
        });
      });
      agenda.add(at + exponential(1 / operation.perSecond), arrive);
    };
    if (operation.perSecond > 0) agenda.add(exponential(1 / operation.perSecond), arrive);
  }

  const meanBacklog = (all: readonly Station[], at: number) => mean(all.map((station) => station.backlog(at)));
  const backlogs = (at: number) => ({ gateways: meanBacklog(gateways, at), shards: meanBacklog(shards, at) });
  let before = { gateways: 0, shards: 0 };
  agenda.add(warmUp, (at) => {
    before = backlogs(at);
  });
  agenda.runUntil(end);
  const after = backlogs(end);
  const resultOf = (kind: 'gateways' | 'shards', all: readonly Station[]): StationResult => {
    const ordered = sorted(waits[kind]);
    const ifAny = (value: number) => (ordered.length === 0 ? null : value);
    return {
      utilization: mean(all.map((station) => station.busy())) / seconds,
      meanMs: ifAny(mean(ordered)),
      p50Ms: ifAny(percentile(ordered, 0.5)),
      p99Ms: ifAny(percentile(ordered, 0.99)),
      growth: (after[kind] - before[kind]) / seconds,
    };
  };
  return {
    requests: waits.gateways.length,
    gateways: resultOf('gateways', gateways),
    shards: resultOf('shards', shards),
  };
}

interface Parts {
  cluster: SimulatedCluster;
  gateways: readonly Station[];
  shards: readonly Station[];
  agenda: Agenda;
  random: Random;
  end: number;
}

type Publish = (at: number, writer: number, shard: number) => void;

function createPublisher(parts: Parts): Publish {
  const { cluster, gateways, random } = parts;
  const { events } = cluster;
  const isPart = events.elsewhere.gateways > 0;
  const read = events.reading === 'all' ? createReadersOfAll(parts) : createRelevantReaders(parts);
  return (at, writer, shard) => {
    const receivers = new Map<number, number>();
    for (let count = 0; count < events.subscribers; count += 1) {
      let gateway = random.below(cluster.gateways);
      // In a large cluster, two subscribers hardly ever have the same gateway.
      while (isPart && receivers.has(gateway) && receivers.size < cluster.gateways)
        gateway = random.below(cluster.gateways);
      receivers.set(gateway, (receivers.get(gateway) ?? 0) + 1);
    }
    for (const [gateway, subscribers] of receivers)
      gateways[gateway]!.serve(at, (events.renderingUs + subscribers * events.deliveryUs) / 1e6);
    read(at, { writer, shard, receivers });
  };
}

interface Written {
  writer: number;
  shard: number;
  receivers: ReadonlyMap<number, number>;
}
type Read = (at: number, written: Written) => void;

/** Every gateway reads each event, except the one that wrote it: the measured cost of a write contains that. */
function createReadersOfAll({ cluster, gateways, shards, agenda, random, end }: Parts): Read {
  const { events, coresPerShard } = cluster;
  const readers = cluster.gateways + events.elsewhere.gateways;
  let total = 0;
  const [byWriter, byShard] = [new Float64Array(cluster.gateways), new Float64Array(cluster.shards)];
  const deliver = (at: number): void => {
    const elsewhere = poisson(events.elsewhere.eventsPerSecond * BATCH_SECONDS, random);
    for (const [index, gateway] of gateways.entries())
      gateway.serve(at, ((total - byWriter[index]! + elsewhere) * events.gatewayUs) / 1e6);
    for (const [index, shard] of shards.entries()) {
      const work = (byShard[index]! * (readers - 1) * events.storeUs) / 1e6;
      // Each reader has a stream of its own, so that they use all processors.
      for (let core = 0; core < coresPerShard; core += 1) shard.serve(at, work / coresPerShard);
    }
    total = 0;
    byWriter.fill(0);
    byShard.fill(0);
    if (at + BATCH_SECONDS < end) agenda.add(at + BATCH_SECONDS, deliver);
  };
  agenda.add(BATCH_SECONDS, deliver);
  return (_at, { writer, shard }) => {
    total += 1;
    byWriter[writer]! += 1;
    byShard[shard]! += 1;
  };
}

/** The gateways with subscribers read an event; the measured cost of a write contains one of these reads. */
function createRelevantReaders({ cluster: { events }, gateways, shards, agenda }: Parts): Read {
  return (at, { shard, receivers }) => {
    let isFirst = true;
    for (const gateway of receivers.keys()) {
      if (!isFirst) {
        const { until } = shards[shard]!.serve(at, events.storeUs / 1e6);
        agenda.add(until, (sentAt) => gateways[gateway]!.serve(sentAt, events.gatewayUs / 1e6));
      }
      isFirst = false;
    }
  };
}

/** Above a mean of 50, the normal distribution is close enough. */
function poisson(average: number, random: Random): number {
  if (average === 0) return 0;
  if (average > 50) {
    const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
    return Math.max(0, Math.round(average + Math.sqrt(average) * normal));
  }
  const limit = Math.exp(-average);
  let count = 0;
  for (let product = random.next(); product > limit; product *= random.next()) count += 1;
  return count;
}
