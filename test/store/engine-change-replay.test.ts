import { isDeepStrictEqual } from 'node:util';
import type { Document } from 'bson';
import fc from 'fast-check';
import type { ClientSession, Collection } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { type Replayed, replay } from './change-event-replay.ts';
import { type Item, take, useStreams, watch } from './change-stream-support.ts';

const fixtures = useStreams();

const ID = fc.integer({ min: 0, max: 5 });
const NUMBER = fc.integer({ min: 0, max: 9 });
const VALUE = fc.oneof(NUMBER, fc.string({ maxLength: 30 }), fc.array(NUMBER, { maxLength: 4 }), fc.constant(null));
const BODY = fc.record(
  {
    n: NUMBER,
    list: fc.array(NUMBER, { maxLength: 5 }),
    rows: fc.array(fc.record({ k: NUMBER, v: VALUE }), { maxLength: 3 }),
    sub: fc.record({ x: VALUE, y: fc.record({ z: VALUE }) }),
    text: fc.string({ maxLength: 80 }),
  },
  { requiredKeys: ['n', 'list', 'rows', 'sub'] },
);

const OPERATORS: fc.Arbitrary<Document> = fc.oneof(
  fc.record({ $set: fc.record({ n: NUMBER, 'sub.x': VALUE, 'sub.w.q': VALUE }, { requiredKeys: ['n'] }) }),
  fc.record({ $unset: fc.constantFrom({ text: '' }, { 'sub.x': '' }, { 'rows.0.v': '', n: '' }) }),
  fc.record({ $inc: fc.constantFrom({ n: 1 }, { 'list.$[]': 1 }, { 'list.2': 3 }) }),
  fc.record({ $push: fc.record({ list: fc.record({ $each: fc.array(NUMBER, { maxLength: 3 }) }) }) }),
  fc.record({ $push: fc.record({ list: fc.record({ $each: fc.array(NUMBER), $slice: fc.constantFrom(-3, 0, 2) }) }) }),
  fc.record({ $pull: fc.record({ list: NUMBER }) }),
  fc.record({ $pop: fc.constantFrom({ list: 1 }, { rows: -1 }) }),
  fc.record({ $addToSet: fc.record({ list: NUMBER }) }),
  fc.record({ $set: fc.record({ 'rows.$[].v': VALUE }) }),
  fc.record({ $rename: fc.constantFrom({ text: 'title' }, { 'sub.x': 'sub.y.x' }) }),
);
const PIPELINE: fc.Arbitrary<Document[]> = fc.array(
  fc.oneof(
    fc.record({ $set: fc.record({ n: NUMBER, 'sub.x': fc.record({ $literal: VALUE }) }) }),
    fc.record({ $set: fc.record({ list: fc.record({ $literal: fc.array(NUMBER, { maxLength: 4 }) }) }) }),
    fc.constant({ $unset: ['text', 'sub.y'] }),
    fc.constant({ $replaceWith: { _id: '$_id', sub: '$sub', n: '$n', list: '$list', rows: '$rows' } }),
  ),
  { minLength: 1, maxLength: 2 },
);

type Write = (items: Collection<Item>, session?: ClientSession) => Promise<unknown>;
const options = (session?: ClientSession) => (session ? { session } : {});

const WRITE: fc.Arbitrary<Write> = fc.oneof(
  fc.tuple(ID, BODY).map(
    ([_id, body]): Write =>
      (items, session) =>
        items.updateOne({ _id }, { $setOnInsert: body }, { upsert: true, ...options(session) }),
  ),
  fc.tuple(ID, BODY).map(
    ([_id, body]): Write =>
      (items, session) =>
        items.replaceOne({ _id }, body, options(session)),
  ),
  ID.map(
    (_id): Write =>
      (items, session) =>
        items.deleteOne({ _id }, options(session)),
  ),
  fc.tuple(ID, fc.oneof(OPERATORS, PIPELINE)).map(
    ([_id, update]): Write =>
      (items, session) =>
        items.updateOne({ _id }, update, options(session)),
  ),
  fc.oneof(OPERATORS, PIPELINE).map(
    (update): Write =>
      (items, session) =>
        items.updateMany({}, update, options(session)),
  ),
);

/** One write, or several in a transaction that may abort. */
const STEP = fc.oneof(
  { weight: 3, arbitrary: WRITE.map((write) => ({ writes: [write], kind: 'alone' as const })) },
  {
    weight: 2,
    arbitrary: fc.record({
      writes: fc.array(WRITE, { minLength: 1, maxLength: 5 }),
      kind: fc.constantFrom('commit' as const, 'commit' as const, 'abort' as const),
    }),
  },
);

/** An expected error, such as an update of a missing path, which aborts the transaction. */
const ignore = (): void => undefined;

async function carryOut(items: Collection<Item>, { writes, kind }: { writes: Write[]; kind: string }): Promise<void> {
  if (kind === 'alone') {
    await writes[0]!(items).catch(ignore);
    return;
  }
  const session = fixtures.client.startSession();
  try {
    session.startTransaction();
    for (const write of writes) await write(items, session);
    if (kind === 'commit') await session.commitTransaction();
    else await session.abortTransaction();
  } catch {
    await session.abortTransaction().catch(ignore);
  }
  await session.endSession();
}

const END = 'end';
/** Number of concurrent writers: events must have the order of their commits. */
const WRITERS = 3;
let round = 0;

describe('the events of random writes and transactions, some of them concurrent', () => {
  it('rebuild the collection from nothing, and are the same when resumed from any event', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { minLength: 1, maxLength: 40 }), async (steps) => {
        const items = fixtures.db.collection<Item>(`items_${round++}`);
        const stream = await watch(fixtures, items);
        await Promise.all(
          Array.from({ length: WRITERS }, async (_, writer) => {
            for (let at = writer; at < steps.length; at += WRITERS) await carryOut(items, steps[at]!);
          }),
        );
        await items.insertOne({ _id: END });

        const events: Document[] = [];
        while (events.at(-1)?.documentKey._id !== END) events.push((await stream.next()) as Document);
        const replayed: Replayed = new Map();
        for (const event of events) replay(replayed, event);
        const stored = new Map((await items.find().toArray()).map((document) => [document._id, document]));
        expect(replayed).toEqual(stored);

        for (let at = 0; at < events.length - 1; at += Math.max(1, Math.floor(events.length / 5))) {
          const resumed = await watch(fixtures, items, [], { resumeAfter: events[at]!._id });
          const rest = await take(resumed, events.length - at - 1);
          expect(isDeepStrictEqual(rest, events.slice(at + 1))).toBe(true);
          await resumed.close();
        }
        await stream.close();
      }),
      { numRuns: 25 },
    );
  }, 120_000);
});
