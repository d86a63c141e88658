import { type Document, Long, Timestamp, UUID } from 'bson';

/** A command for the admin database or the one under test. */
export type Step = Document | readonly ['admin', Document];

/** A new logical session. */
export const newSession = (): Document => ({ id: new UUID() });

/** A retryable write with this number. */
export const r = (lsid: Document, number: number, command: Document): Document => ({
  ...command,
  lsid,
  txnNumber: Long.fromNumber(number),
});

/** A command in the transaction with this number. */
export const t = (lsid: Document, number: number, command: Document, isStart = false): Document => ({
  ...r(lsid, number, command),
  autocommit: false,
  ...(isStart && { startTransaction: true }),
});
export const commit = (lsid: Document, number: number): Step => ['admin', t(lsid, number, { commitTransaction: 1 })];
export const abort = (lsid: Document, number: number): Step => ['admin', t(lsid, number, { abortTransaction: 1 })];

export const soon = (seconds: number): Timestamp => new Timestamp({ t: Math.floor(Date.now() / 1000) + seconds, i: 1 });
export const PAST = new Timestamp({ t: 1000, i: 1 });

/** One command of each kind, which changes nothing and can be repeated any number of times. */
const EVERY_COMMAND: readonly Step[] = [
  { find: 'x', limit: 1 },
  { count: 'x' },
  { distinct: 'x', key: 'a' },
  { aggregate: 'x', pipeline: [], cursor: {} },
  { insert: 'y', documents: [{ _id: 1 }] },
  { update: 'y', updates: [{ q: { _id: 5 }, u: { $set: { a: 1 } } }] },
  { delete: 'y', deletes: [{ q: { _id: 5 }, limit: 1 }] },
  { findAndModify: 'y', query: { _id: 5 }, remove: true },
  { create: 'y' },
  { createIndexes: 'y', indexes: [{ key: { a: 1 }, name: 'a' }] },
  { dropIndexes: 'y', index: '*' },
  { drop: 'nope' },
  { listCollections: 1, nameOnly: true, filter: { name: 'x' } },
  { listIndexes: 'x' },
  ['admin', { listDatabases: 1, nameOnly: true, filter: { name: 'nope' } }],
  { ping: 1 },
  { collMod: 'x' },
  { killCursors: 'x', cursors: [Long.fromNumber(1)] },
  { getMore: Long.fromNumber(1), collection: 'x' },
  { endSessions: [] },
  { refreshSessions: [] },
];

/** Each of these commands with more fields. */
export const withEach = (more: Document): Step[] =>
  EVERY_COMMAND.map((step) => (isAdmin(step) ? ['admin', { ...step[1], ...more }] : { ...step, ...more }));

/** Whether the step runs on the admin database. */
export const isAdmin = (step: Step): step is readonly ['admin', Document] => Array.isArray(step);
