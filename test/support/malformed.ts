import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect } from 'vitest';
import { isFullLoad } from './full-load.ts';

/** Number of requests of a run for each transport. */
export const COUNT = isFullLoad ? 10_000 : 250;
/** `MALFORMED_SEED` repeats an earlier run. */
export const SEED = Number(process.env.MALFORMED_SEED ?? 20_261_122);
/** Number of concurrent requests. */
const AT_ONCE = 16;

/** Strings and values that are known to break parsers, validators and databases. */
const EDGES: readonly unknown[] = [
  '',
  '\u0000',
  '\ud800',
  '\u202e\u2066',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '%00',
  '%',
  '%ff%fe',
  '1e999',
  '-0',
  '9'.repeat(400),
  'x'.repeat(3_000),
  '🙂'.repeat(200),
  '$where',
  'a.b.c',
  '{"$ne":null}',
  '[]',
  'null',
  'true',
  '82FFFFFFFF',
  'Zm9v',
  null,
  true,
  -1,
  0,
  1.5,
  2 ** 53,
  1e308,
  [],
  {},
  [null],
  [[]],
  { $ne: null },
  { length: 1_000_000 },
  JSON.parse('{"__proto__":{"isAdmin":true}}'),
];

export const edge = fc.constantFrom(...EDGES);
export const value = fc.oneof(
  { weight: 3, arbitrary: edge },
  fc.jsonValue({ maxDepth: 4 }),
  fc.string({ unit: 'binary' }),
);
export const text = fc.oneof(edge.map(asText), fc.string({ unit: 'binary', maxLength: 60 }));

export function asText(one: unknown): string {
  return typeof one === 'string' ? one : (JSON.stringify(one) ?? '');
}

type Change = { kind: 'flip' | 'insert' | 'delete' | 'repeat' | 'cut'; at: number; byte: number; length: number };
const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom('flip', 'insert', 'delete', 'repeat', 'cut'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  byte: fc.integer({ min: 0, max: 255 }),
  length: fc.integer({ min: 1, max: 40 }),
});

/** Valid bytes with a few changes. */
export function damaged(valid: fc.Arbitrary<string | Buffer>): fc.Arbitrary<Buffer> {
  return fc.tuple(valid, fc.array(change, { minLength: 0, maxLength: 6 })).map(([bytes, changes]) => {
    let result: Buffer = Buffer.from(bytes as Buffer);
    for (const one of changes) result = apply(result, one);
    return result;
  });
}

function apply(bytes: Buffer, { kind, at, byte, length }: Change): Buffer {
  const place = Math.floor(at * bytes.length);
  const [before, after] = [bytes.subarray(0, place), bytes.subarray(place)];
  if (kind === 'flip') {
    const flipped = Buffer.from(bytes);
    if (flipped.length > 0) flipped[Math.min(place, flipped.length - 1)]! ^= 1 << (byte % 8);
    return flipped;
  }
  if (kind === 'insert') return Buffer.concat([before, Buffer.alloc(length, byte), after]);
  if (kind === 'delete') return Buffer.concat([before, after.subarray(length)]);
  if (kind === 'repeat') return Buffer.concat([before, after.subarray(0, length), after]);
  return before;
}

export interface Answer {
  /** Null if the connection ended without a response. */
  status: number | null;
  text: string;
}

/** Text that reveals internals of the program. */
const INTERNALS =
  /node_modules|file:\/\/|\n +at |[\w-]+\.[cm]?[jt]s:\d+|\b(Type|Reference|Range|Syntax|Assertion)Error\b|Mongo\w*Error|E11000|BSONError|FST_ERR|"INTERNAL"|Something went wrong/;

/** The requests contain no text that this pattern matches. */
function expectOrdinary({ status, text }: Answer, sent: unknown): void {
  const hint = `seed ${SEED}, sent ${String(sent).slice(0, 600)}, answered ${text.slice(0, 600)}`;
  expect(status === null || status < 500, hint).toBe(true);
  expect(INTERNALS.test(text), hint).toBe(false);
}

/** Sends a sample of requests concurrently and checks each response. @returns the number of responses by status */
export async function sendAll<Request>(
  requests: fc.Arbitrary<Request>,
  send: (request: Request) => Promise<Answer>,
  show: (request: Request) => unknown = (request) => JSON.stringify(request),
): Promise<Map<number | null, number>> {
  const samples = fc.sample(requests, { seed: SEED, numRuns: COUNT });
  const statuses = new Map<number | null, number>();
  let next = 0;
  let early = 0;
  const work = async () => {
    while (next < samples.length) {
      const request = samples[next]!;
      next += 1;
      const answer = await send(request);
      expectOrdinary(answer, show(request));
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (next === Math.floor(samples.length / 3)) early = heapUsed();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const grown = (heapUsed() - early) / 1_048_576;
  if (isFullLoad)
    console.log(`${COUNT} requests: heap grew by ${grown.toFixed(1)} MiB in the last two thirds`, statuses);
  expect(grown, 'MiB of heap that the last two thirds of the requests left').toBeLessThan(40);
  return statuses;
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heapUsed(): number {
  collect();
  return process.memoryUsage().heapUsed;
}
