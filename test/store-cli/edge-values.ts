import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  Decimal128,
  type Document,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from 'bson';
import type { Db } from 'mongodb';

/** A document of the maximum size. */
function largest(): Document {
  const overhead = 4 + (1 + 4 + 5) + (1 + 5 + 4 + 1) + 1;
  return { _id: 'zzz', text: 'x'.repeat(16 * 1024 * 1024 - overhead - 8) };
}

const hostile = (): Document =>
  JSON.parse('{"__proto__": {"admin": true}, "constructor": 1, "": 2, "a.b": {"c.d": 3}}');

/** Values that an imprecise copy changes. */
const VALUES: Document[] = [
  { _id: new ObjectId('0123456789abcdef01234567'), like: new Int32(5), love: new Double(5), fire: Long.fromNumber(5) },
  {
    _id: 1,
    nan: new Double(Number.NaN),
    zero: new Double(-0),
    most: new Double(Number.POSITIVE_INFINITY),
    third: 1 / 3,
  },
  { _id: new Double(1.5), long: Long.MAX_VALUE, decimal: Decimal128.fromString('1.10'), huge: new Double(1e300) },
  { _id: 'text', emoji: '👩‍🌾 \u0000 "\\', empty: '', array: [[], [{}], [null]], nothing: null, no: false },
  { _id: { b: 1, a: 2 }, date: new Date(-1), later: new Date('9999-12-31T23:59:59.999Z'), first: new Date(0) },
  {
    _id: new Date(1_700_000_000_000),
    bytes: new Binary(Buffer.from([0, 255]), 0),
    uuid: new Binary(Buffer.alloc(16, 7), 4),
  },
  {
    _id: 'kinds',
    old: new Binary(Buffer.from('ab'), 2),
    own: new Binary(Buffer.from('c'), 128),
    stamp: { at: new Timestamp({ t: 5, i: 6 }) },
  },
  {
    _id: 'odd',
    regex: new BSONRegExp('^a/"', 'im'),
    low: new MinKey(),
    high: new MaxKey(),
    code: new Code('f()'),
    symbol: new BSONSymbol('s'),
  },
  // Ordinary documents that look like types of Extended JSON.
  {
    _id: 'mimic',
    id: { $oid: 'nonsense' },
    number: { $numberInt: '12' },
    ref: { $ref: 'a', $id: 1 },
    date: { $date: 'x' },
  },
  { _id: 'hostile', nested: hostile(), ...hostile() },
];

/** Fields with integer names, which JavaScript objects reorder. */
const ORDERED = new Map<string, unknown>([
  ['_id', 'ordered'],
  ['b', 1],
  [
    '2',
    new Map<string, unknown>([
      [
        'x',
        [
          new Map([
            ['z', 1],
            ['0', 2],
          ]),
        ],
      ],
      ['1', 'one'],
    ]),
  ],
  ['1', 2],
]);

/** Inserts collections, documents and indexes that are difficult to copy exactly. */
export async function insertEdgeValues(db: Db): Promise<void> {
  const values = db.collection<Document>('values');
  await values.insertMany([...VALUES, largest(), ORDERED as unknown as Document], { forceServerObjectId: true });
  await values.createIndex({ like: 1, 'nested.a': -1 }, { name: 'like' });
  await values.createIndex({ array: 1 });
  await db.createCollection('empty');
  const sessions = db.collection('sessions');
  await sessions.createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 });
  // Expired: no server may delete it before the comparison.
  await sessions.insertOne({ _id: new ObjectId(), expiresAt: new Date(0) });
  const flags = db.collection('flags.of-all kinds/ünd');
  await flags.createIndex({ n: 1 }, { unique: true, name: 'n' });
  await flags.createIndex(
    { at: 1 },
    { partialFilterExpression: { at: { $gt: new Date(5) }, n: { $gte: new Int32(3) } } },
  );
  await flags.createIndex({ sparse: 1 }, { sparse: true });
  await flags.insertMany(
    Array.from({ length: 2_500 }, (_, n) => ({ n, at: new Date(n), ...(n % 3 && { sparse: n }) })),
  );
  await db.collection<{ _id: string; version: number }>('migrations').insertOne({ _id: 'schema', version: 1 });
}
