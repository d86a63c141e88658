import { Binary, type Document, EJSON, Long, Timestamp } from 'bson';
import { connectRaw } from './raw-client.ts';
import { lasting } from './run-steps.ts';

/** A command with one additional option, and commands that show its effect afterwards. */
export interface OptionProbe {
  name: string;
  command: Document;
  inspect?: Document | undefined;
  /** Replies with plans or statistics differ between servers: only success is compared. */
  isOutcomeOnly?: boolean;
}

interface OptionTable {
  base: Document;
  /** Values for each option in the command reference of MongoDB 7.0. */
  options: Readonly<Record<string, readonly unknown[]>>;
  inspect?: Document;
  isOutcomeOnly?: boolean;
}

const COLLATION = { locale: 'en', strength: 2 };
const FIND = { find: 'o', sort: { _id: 1 } };
const ALL = { find: 'o', sort: { _id: 1 } };
const INDEXES = { listIndexes: 'o' };
const LATER = new Timestamp({ t: 1, i: 1 });

/** Options of all read and write commands. */
const COMMON = {
  readConcern: [{ level: 'local' }, { level: 'nope' }, 5],
  writeConcern: [{ w: 1 }, { w: 'nope' }, 5],
  maxTimeMS: [60_000, -1, 'x'],
  comment: ['c', { a: 1 }],
  $readPreference: [{ mode: 'primary' }],
  unknownOption: [1],
};

const TABLES: readonly OptionTable[] = [
  {
    base: FIND,
    options: {
      ...COMMON,
      filter: [{ a: 1 }, 5],
      projection: [{ a: 1 }, 5],
      hint: ['_id_', 'nope'],
      skip: [1, 'x'],
      limit: [1, 'x', -1],
      batchSize: [1, 'x'],
      singleBatch: [true, 'x'],
      max: [{ _id: 2 }],
      min: [{ _id: 2 }],
      returnKey: [true, false],
      showRecordId: [true, false],
      tailable: [true, false],
      awaitData: [true, false],
      oplogReplay: [true],
      noCursorTimeout: [true, 'x'],
      allowPartialResults: [true, 'x'],
      collation: [COLLATION, { locale: 'simple' }, {}, 5, { locale: 'nope' }],
      allowDiskUse: [true, 'x'],
      let: [{ x: 1 }, 5],
      term: [Long.ONE],
      ntoreturn: [1],
      resumeAfter: [{}],
      requestResumeToken: [true],
    },
  },
  {
    base: { aggregate: 'o', pipeline: [{ $match: { a: { $gt: 0 } } }, { $sort: { _id: 1 } }], cursor: {} },
    inspect: ALL,
    options: {
      ...COMMON,
      explain: [true, false],
      allowDiskUse: [true, 'x'],
      cursor: [{ batchSize: 1 }, { batchSize: 'x' }, { unknownOption: 1 }, 5],
      bypassDocumentValidation: [true, 'x'],
      collation: [COLLATION, { locale: 'simple' }, 5],
      hint: ['_id_', 'nope', 5],
      let: [{ x: 1 }, 5],
      passthroughToShard: [{ shard: 'x' }],
      fromMongos: [true],
      needsMerge: [true],
      exchange: [{}],
      isMapReduceCommand: [true],
    },
  },
  {
    base: { count: 'o' },
    options: {
      ...COMMON,
      query: [{ a: 1 }, 5],
      limit: [1, 'x'],
      skip: [1, 'x', -1],
      hint: ['_id_', 'nope', 5],
      collation: [COLLATION, { locale: 'simple' }, 5],
      fields: [{ a: 1 }],
      let: [{ x: 1 }],
    },
  },
  {
    base: { distinct: 'o', key: 'a' },
    options: {
      ...COMMON,
      query: [{ a: 1 }, 5],
      collation: [COLLATION, { locale: 'simple' }, 5],
      hint: ['_id_'],
      let: [{ x: 1 }],
    },
  },
  {
    base: { insert: 'o', documents: [{ _id: 9 }, { _id: 1 }, { _id: 10 }] },
    inspect: ALL,
    options: {
      ...COMMON,
      ordered: [true, false, 'x', 5],
      bypassDocumentValidation: [true, 'x'],
      collation: [COLLATION],
      let: [{ x: 1 }],
    },
  },
  {
    base: { update: 'o', updates: [{ q: { _id: 1 }, u: { $set: { b: 1 } } }] },
    inspect: ALL,
    options: {
      ...COMMON,
      ordered: [false, 'x', 5],
      bypassDocumentValidation: [true, 'x'],
      let: [{ x: 1 }, 5],
      collation: [COLLATION],
      hint: ['_id_'],
    },
  },
  {
    base: { delete: 'o', deletes: [{ q: { _id: 1 }, limit: 1 }] },
    inspect: ALL,
    options: { ...COMMON, ordered: [false, 'x', 5], let: [{ x: 1 }, 5], collation: [COLLATION], hint: ['_id_'] },
  },
  {
    base: { findAndModify: 'o', query: { _id: 1 }, update: { $set: { b: 1 } } },
    inspect: ALL,
    options: {
      ...COMMON,
      query: [{ a: 2 }, 5],
      sort: [{ a: -1 }, 5],
      remove: [true, false, 'x'],
      update: [{ b: 1 }, [{ $set: { b: 2 } }], 5],
      new: [true, 'x', 1],
      fields: [{ a: 1 }, 5],
      upsert: [true, 'x'],
      bypassDocumentValidation: [true, 'x'],
      collation: [COLLATION, { locale: 'simple' }],
      arrayFilters: [[], [{ 'e.a': 1 }], 5],
      hint: ['_id_', 'nope', 5],
      let: [{ x: 1 }, 5],
    },
  },
  {
    base: { create: 'n' },
    inspect: { listCollections: 1, filter: { name: 'n' } },
    options: {
      ...COMMON,
      capped: [true, false],
      size: [4096],
      max: [5],
      timeseries: [{ timeField: 't' }],
      expireAfterSeconds: [60],
      clusteredIndex: [{ key: { _id: 1 }, unique: true }],
      changeStreamPreAndPostImages: [{ enabled: true }],
      autoIndexId: [false],
      validator: [{ a: 1 }],
      validationLevel: ['strict'],
      validationAction: ['error'],
      storageEngine: [{ wiredTiger: {} }],
      indexOptionDefaults: [{ storageEngine: {} }],
      viewOn: ['o'],
      pipeline: [[]],
      collation: [COLLATION, { locale: 'simple' }],
      encryptedFields: [{ fields: [] }],
      flags: [1],
      temp: [true],
    },
  },
  { base: { drop: 'o' }, inspect: { listCollections: 1, filter: { name: 'o' } }, options: COMMON },
  {
    base: { createIndexes: 'o', indexes: [{ key: { a: 1 }, name: 'a_1' }] },
    inspect: INDEXES,
    options: { ...COMMON, commitQuorum: [1, 'majority', 'nope', {}], ignoreUnknownIndexOptions: [true, false] },
  },
  {
    base: { dropIndexes: 'o', index: '*' },
    inspect: INDEXES,
    options: { ...COMMON, index: ['_id_', 5, []], isTimeseriesNamespace: [true] },
  },
  { base: { listIndexes: 'o' }, options: { ...COMMON, cursor: [{ batchSize: 1 }, { unknownOption: 1 }, 5] } },
  {
    base: { listCollections: 1, filter: { name: 'o' } },
    options: {
      ...COMMON,
      nameOnly: [true, 'x'],
      authorizedCollections: [true, 'x'],
      cursor: [{ batchSize: 1 }, { unknownOption: 1 }, 5],
      filter: [{ name: 'o', type: 'collection' }, 5],
    },
  },
  {
    base: { collMod: 'o' },
    inspect: INDEXES,
    options: {
      ...COMMON,
      index: [{ name: '_id_', hidden: true }, { name: '_id_', unique: true }, { name: '_id_' }, 5],
      validator: [{ a: 1 }],
      validationLevel: ['off'],
      validationAction: ['warn'],
      viewOn: ['x'],
      pipeline: [[]],
      cappedSize: [4096],
      cappedMax: [5],
      changeStreamPreAndPostImages: [{ enabled: true }],
      expireAfterSeconds: [60, 'off'],
      timeseries: [{ granularity: 'hours' }],
    },
  },
  { base: { killCursors: 'o', cursors: [Long.ONE] }, options: { comment: ['c'], unknownOption: [1] } },
  { base: { ping: 1 }, options: { comment: ['c'], maxTimeMS: [60_000, -1] } },
  { base: { dropDatabase: 1 }, options: { writeConcern: [{ w: 1 }], comment: ['c'], unknownOption: [1] } },
  {
    base: { validate: 'o' },
    isOutcomeOnly: true,
    options: {
      full: [false],
      repair: [true],
      metadata: [true],
      checkBSONConformance: [true],
      background: [true],
      unknownOption: [1],
    },
  },
  { base: { collStats: 'o' }, isOutcomeOnly: true, options: { scale: [1024, 'x', 0], unknownOption: [1] } },
  {
    base: { dbStats: 1 },
    isOutcomeOnly: true,
    options: { scale: [1024, 'x', 0], freeStorage: [0, 1], unknownOption: [1] },
  },
  { base: { connectionStatus: 1 }, isOutcomeOnly: true, options: { showPrivileges: [false], unknownOption: [1] } },
];

const UPDATE_STATEMENT = {
  c: [{ x: 1 }],
  upsert: [true, 'x'],
  multi: [true, 'x'],
  collation: [COLLATION, { locale: 'simple' }],
  arrayFilters: [[], 5],
  hint: ['_id_', 'nope'],
  upsertSupplied: [true],
  sampleId: [new Binary(Buffer.alloc(16), 4)],
  allowShardKeyUpdatesWithoutFullShardKeyInQuery: [true],
  unknownOption: [1],
};

const INDEX_OPTIONS = {
  unique: [true, 'x'],
  background: [true],
  partialFilterExpression: [{ a: { $gt: 1 } }, 5],
  sparse: [true, 'x'],
  expireAfterSeconds: [60, 'x'],
  hidden: [true, false],
  storageEngine: [{ wiredTiger: {} }],
  weights: [{ a: 1 }],
  default_language: ['en'],
  language_override: ['l'],
  textIndexVersion: [3],
  '2dsphereIndexVersion': [3],
  bits: [26],
  min: [1],
  max: [1],
  bucketSize: [1],
  collation: [COLLATION, { locale: 'simple' }],
  wildcardProjection: [{ a: 1 }],
  prepareUnique: [true],
  dropDups: [true],
  clustered: [true],
  v: [2, 1, 3],
  ns: ['a.b'],
  unknownOption: [1],
};

const described = (command: Document, option: string, value: unknown): string =>
  `${Object.keys(command)[0]} ${option}: ${JSON.stringify(value)}`;

/** The base command with each value of each option. */
function spread({ base, options, ...rest }: OptionTable): OptionProbe[] {
  return Object.entries(options).flatMap(([option, values]) =>
    values.map((value) => ({
      name: described(base, option, value),
      command: { ...base, [option]: value },
      ...rest,
    })),
  );
}

/** The command with each value of each option in its only statement. */
function nested(options: Readonly<Record<string, readonly unknown[]>>, place: (statement: Document) => OptionProbe) {
  return Object.entries(options).flatMap(([option, values]) => values.map((value) => place({ [option]: value })));
}

const inUpdate = (extra: Document): OptionProbe => ({
  name: `statement of update ${JSON.stringify(extra)}`,
  command: { update: 'o', updates: [{ q: { _id: 1 }, u: { $set: { b: 1 } }, ...extra }] },
  inspect: ALL,
});
const inDelete = (extra: Document): OptionProbe => ({
  name: `statement of delete ${JSON.stringify(extra)}`,
  command: { delete: 'o', deletes: [{ q: { _id: 1 }, limit: 1, ...extra }] },
  inspect: ALL,
});
const inIndex = (extra: Document): OptionProbe => ({
  name: `index ${JSON.stringify(extra)}`,
  command: { createIndexes: 'o', indexes: [{ key: { a: 1 }, name: 'a_1', ...extra }] },
  inspect: INDEXES,
});
const EXPLAINED = new Set(['find', 'aggregate', 'count', 'distinct', 'update', 'delete', 'findAndModify']);

/** The same options in a command that is explained. */
function explained({ command, name }: OptionProbe): OptionProbe[] {
  if (!EXPLAINED.has(Object.keys(command)[0]!)) return [];
  const { readConcern, writeConcern, maxTimeMS, $readPreference, ...inner } = command;
  if ([readConcern, writeConcern, maxTimeMS, $readPreference].some((given) => given !== undefined)) return [];
  return [
    {
      name: `explain ${name}`,
      command: { explain: inner, verbosity: 'queryPlanner' },
      isOutcomeOnly: true,
    },
  ];
}

const COMMANDS = [
  ...TABLES.flatMap(spread),
  ...nested(UPDATE_STATEMENT, inUpdate),
  ...nested({ hint: ['_id_', 'nope'], collation: [COLLATION], limit: [0, 2], unknownOption: [1] }, inDelete),
  ...nested(INDEX_OPTIONS, inIndex),
  { name: 'a time for a read', command: { ...FIND, readConcern: { level: 'snapshot', atClusterTime: LATER } } },
];

export const OPTION_PROBES: readonly OptionProbe[] = [...COMMANDS, ...COMMANDS.flatMap(explained)];

const outcomeOf = ({ ok }: Document): Document => ({ ok });

/** Replaces the id of an open cursor, which is random. */
const withoutId = (reply: Document): Document =>
  reply.cursor ? { ...reply, cursor: { ...reply.cursor, id: !Long.ZERO.equals(reply.cursor.id) } } : reply;

export interface OptionAnswer {
  /** The reply and the state afterwards, as text. */
  shown: string;
  /** The error messages of the reply. */
  text: string;
}

/** Runs each probe on a new collection of three documents. */
export async function runOptionProbes(uri: string, probes = OPTION_PROBES): Promise<OptionAnswer[]> {
  const client = connectRaw(uri);
  const db = `options_${process.pid}_${Date.now()}`;
  const answers: OptionAnswer[] = [];
  for (const { command, inspect, isOutcomeOnly } of probes) {
    await client.command(db, { drop: 'o' });
    await client.command(db, { drop: 'n' });
    await client.command(db, { insert: 'o', documents: [1, 2, 3].map((_id) => ({ _id, a: _id })) });
    const reply = await client.command(db, command);
    const seen = inspect ? [await client.command(db, inspect)] : [];
    answers.push({
      shown: EJSON.stringify([isOutcomeOnly ? outcomeOf(reply) : withoutId(reply), ...seen].map(lasting)),
      text: [reply, ...(reply.writeErrors ?? [])].map(({ errmsg }) => errmsg ?? '').join(' '),
    });
  }
  await client.command(db, { dropDatabase: 1 });
  client.close();
  return answers;
}
