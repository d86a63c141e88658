import type { Document } from 'bson';
import type { Step } from './step.ts';

const upsert = (q: Document, u: unknown): Step[] => [
  { update: 'u', updates: [{ q, u, upsert: true }] },
  { find: 'u' },
  { delete: 'u', deletes: [{ q: {}, limit: 0 }] },
];
const modify = (query: Document, update: unknown): Step[] => [
  { findAndModify: 'u', query, update, upsert: true, new: true },
  { find: 'u' },
  { delete: 'u', deletes: [{ q: {}, limit: 0 }] },
];

/** Upserts whose filter or update contains `_id`, also as `null`. */
export const steps: readonly Step[] = [
  ...[{ a: 1 }, { $set: { a: 1 } }, [{ $set: { a: 1 } }], [{ $replaceWith: { a: 1 } }], { _id: null, a: 1 }].flatMap(
    (u) => [
      ...upsert({ _id: null }, u),
      ...upsert({ _id: { $eq: null } }, u),
      ...upsert({ _id: { $in: [null] } }, u),
      ...upsert({ $or: [{ _id: null }] }, u),
      ...modify({ _id: null }, u),
    ],
  ),
  ...[{ _id: null, b: 1 }, { $set: { _id: null } }, { $setOnInsert: { _id: null } }, [{ $set: { _id: null } }]].flatMap(
    (u) => [...upsert({ a: 5 }, u), ...modify({ a: 5 }, u)],
  ),
  ...upsert({ _id: null }, { _id: 5 }),
  ...upsert({ _id: 5 }, { _id: null }),
  ...upsert({ _id: null }, { $set: { _id: 5 } }),
  ...upsert({ _id: null }, { $setOnInsert: { _id: 5 } }),
  ...upsert({ _id: 5 }, [{ $unset: '_id' }]),
  ...upsert({ '_id.a': 1 }, { $set: { b: 1 } }),
  ...upsert({ '_id.a': 1 }, { b: 1 }),
  ...upsert({ '_id.a': null }, { $set: { b: 1 } }),
  ...upsert({ '_id.a': 1 }, { $set: { '_id.b': 1 } }),
  ...upsert({}, { $setOnInsert: { '_id.a': 1 } }),
  { insert: 'u', documents: [{ _id: null, a: 1 }] },
  { update: 'u', updates: [{ q: { _id: null }, u: { b: 1 } }] },
  { update: 'u', updates: [{ q: {}, u: { _id: null, b: 2 } }] },
  { update: 'u', updates: [{ q: {}, u: { _id: 3, b: 2 } }] },
  { update: 'u', updates: [{ q: {}, u: { $unset: { _id: 1 } } }] },
  { update: 'u', updates: [{ q: {}, u: [{ $set: { _id: 4 } }] }] },
  { update: 'u', updates: [{ q: {}, u: [{ $replaceWith: { z: 1 } }] }] },
  { find: 'u' },
];
