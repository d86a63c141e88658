import type { ChangeStream, ChangeStreamDocument, Document, MongoClient } from 'mongodb';
import { type Latencies, latenciesOf } from '../stats.ts';
import { recordOf } from './records.ts';
import { connectTo, DATABASE } from './through-driver.ts';

export interface LagResult {
  /** `store`, or `echo`, which returns each write immediately. */
  server: string;
  streams: number;
  /** Achieved writes per second. */
  perSecond: number;
  /** From sending a write to its acknowledgement; milliseconds. */
  acknowledged: Latencies;
  /** From sending a write to the event's arrival. */
  fromSending: Latencies;
  /** From the acknowledgement to the event's arrival; negative if the event arrived first. */
  fromAcknowledgement: Latencies;
}

export interface LagPace {
  /** Writes a second. */
  rate: number;
  milliseconds: number;
  rounds: number;
}

const STREAMS = [1, 10];
const FOLLOWED = 'followed';
const POLL_MS = 20;
const TIMEOUT_MS = 20_000;

/** Writers at a steady rate and subscribers of their collection, all in this process. */
export async function measureLag(servers: Readonly<Record<string, string>>, pace: LagPace): Promise<LagResult[]> {
  const results: LagResult[] = [];
  for (const streams of STREAMS) {
    const samples = new Map(Object.keys(servers).map((name) => [name, newSamples()]));
    for (let round = 0; round < pace.rounds; round++) {
      for (const [name, uri] of Object.entries(servers)) await sample(uri, { ...pace, streams }, samples.get(name)!);
    }
    for (const [server, { acknowledged, fromSending, fromAcknowledgement, ms }] of samples) {
      results.push({
        server,
        streams,
        perSecond: (acknowledged.length * 1_000) / ms,
        acknowledged: latenciesOf(acknowledged),
        fromSending: latenciesOf(fromSending),
        fromAcknowledgement: latenciesOf(fromAcknowledgement),
      });
    }
  }
  return results;
}

const newSamples = () => ({
  acknowledged: [] as number[],
  fromSending: [] as number[],
  fromAcknowledgement: [] as number[],
  ms: 0,
});
type Samples = ReturnType<typeof newSamples>;

async function sample(uri: string, pace: LagPace & { streams: number }, into: Samples): Promise<void> {
  const client = connectTo(uri);
  const written = client.db(DATABASE).collection<Document & { _id: number }>(FOLLOWED);
  const arrivals: number[][] = Array.from({ length: pace.streams }, () => []);
  const streams = await Promise.all(arrivals.map((times) => subscribe(client, times)));
  try {
    const { sentAt, acknowledgedAt, ms } = await writeAtPace(pace, async (number) => {
      await written.insertOne({ ...recordOf(number, 1_000), _id: number });
    });
    await until(() => arrivals.every((times) => Object.keys(times).length >= sentAt.length));
    into.ms += ms;
    for (const [number, sent] of sentAt.entries()) {
      into.acknowledged.push(acknowledgedAt[number]! - sent);
      for (const times of arrivals) {
        into.fromSending.push(times[number]! - sent);
        into.fromAcknowledgement.push(times[number]! - acknowledgedAt[number]!);
      }
    }
  } finally {
    await Promise.all(streams.map((stream) => stream.close()));
    await written.deleteMany({ _id: { $gte: 0 } });
    await client.close();
  }
}

/** Opens a stream that records when each event arrives; resolves when it is open. */
async function subscribe(client: MongoClient, times: number[]): Promise<ChangeStream> {
  const stream = client.db(DATABASE).collection(FOLLOWED).watch();
  const opened = new Promise((resolve) => stream.once('resumeTokenChanged', resolve));
  stream.on('change', (event: ChangeStreamDocument) => {
    if (event.operationType === 'insert') times[event.documentKey._id as unknown as number] = performance.now();
  });
  await opened;
  return stream;
}

/** Starts each write when it is due, whether or not earlier ones have finished, as clients do. */
async function writeAtPace({ rate, milliseconds }: LagPace, write: (number: number) => Promise<void>) {
  const sentAt: number[] = [];
  const acknowledgedAt: number[] = [];
  const writes: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let passed = 0; passed < milliseconds; passed = performance.now() - startedAt) {
    while (sentAt.length < (passed * rate) / 1_000) {
      const number = sentAt.length;
      sentAt.push(performance.now());
      const acknowledge = () => {
        acknowledgedAt[number] = performance.now();
      };
      writes.push(write(number).then(acknowledge));
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(writes);
  return { sentAt, acknowledgedAt, ms: performance.now() - startedAt };
}

async function until(isDone: () => boolean): Promise<void> {
  for (const startedAt = performance.now(); !isDone(); ) {
    if (performance.now() - startedAt > TIMEOUT_MS) throw new Error('events are missing');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
