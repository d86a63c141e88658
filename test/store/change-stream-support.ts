import { type ChangeStream, type Collection, type Db, type Document, MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { EmbeddedStoreOptions } from '../../src/embedded/index.ts';
import { startEngine, type TestEngine } from './engine-support.ts';

export interface Item extends Document {
  _id: number | string;
}

export type Stream = ChangeStream<Document>;

/** Short, so that opening a stream is fast; a write wakes a waiting stream before this time. */
const MAX_AWAIT_MS = 50;

/** One engine per file, one database per test, and streams that are closed after each test. */
export interface StreamFixtures {
  engine: TestEngine;
  client: MongoClient;
  db: Db;
  items: Collection<Item>;
  streams: Stream[];
}

/** Registers the hooks that set up and clean up a {@link StreamFixtures}. */
export function useStreams(options: Partial<EmbeddedStoreOptions> = {}): StreamFixtures {
  const fixtures = { streams: [] as Stream[] } as StreamFixtures;
  let number = 0;
  beforeAll(async () => {
    fixtures.engine = await startEngine(options);
    fixtures.client = await MongoClient.connect(fixtures.engine.uri, { maxPoolSize: 200 });
  });
  afterAll(async () => {
    await fixtures.client.close();
    await fixtures.engine.close();
  });
  beforeEach(() => {
    fixtures.db = fixtures.client.db(`streams_${number++}`);
    fixtures.items = fixtures.db.collection<Item>('items');
  });
  afterEach(async () => {
    await Promise.all(fixtures.streams.splice(0).map((stream) => stream.close()));
  });
  return fixtures;
}

interface Watchable {
  watch(pipeline: Document[], options: Document): unknown;
}

/** Resolves once the stream is open: it reports all later writes. */
export async function watch(
  { streams }: StreamFixtures,
  source: Watchable,
  pipeline: Document[] = [],
  options: Document = {},
): Promise<Stream> {
  const stream = source.watch(pipeline, { maxAwaitTimeMS: MAX_AWAIT_MS, ...options }) as Stream;
  streams.push(stream);
  if (!('resumeAfter' in options) && !('startAfter' in options) && !('startAtOperationTime' in options)) {
    await stream.tryNext();
  }
  return stream;
}

/** The next events, in order. */
export async function take(stream: Stream, count: number): Promise<Document[]> {
  const events: Document[] = [];
  while (events.length < count) events.push((await stream.next()) as Document);
  return events;
}

export const typesOf = (events: readonly Document[]): string[] => events.map(({ operationType }) => operationType);
export const idsOf = (events: readonly Document[]): unknown[] => events.map(({ documentKey }) => documentKey._id);
