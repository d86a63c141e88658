import type { Step } from './step.ts';

const QUERY = { $expr: { $eq: ['$a', '$$x'] } };

/** Variables that apply to a whole command (`let`). */
export const steps: readonly Step[] = [
  {
    insert: 'x',
    documents: [
      { _id: 1, a: 1 },
      { _id: 2, a: 2 },
    ],
  },
  { find: 'x', filter: QUERY, let: { x: 2 } },
  { find: 'x', filter: QUERY, let: { x: { $add: [1, 1] } } },
  { find: 'x', filter: QUERY, let: { x: { $literal: '$a' } } },
  { find: 'x', filter: { $expr: { $eq: ['$a', '$$x.y'] } }, let: { x: { y: 1 } } },
  { find: 'x', filter: QUERY },
  { find: 'x', filter: QUERY, let: {} },
  { find: 'x', filter: QUERY, let: { x: '$a' } },
  { find: 'x', filter: QUERY, let: { X: 1 } },
  { find: 'x', filter: QUERY, let: { 'x y': 1 } },
  { find: 'x', filter: QUERY, let: 5 },
  { find: 'x', filter: { a: '$$x' }, let: { x: 1 } },
  { find: 'x', projection: { b: { $add: ['$a', '$$x'] } }, sort: { _id: 1 }, let: { x: 10 } },
  { find: 'x', filter: { $expr: { $let: { vars: { x: 1 }, in: { $eq: ['$a', '$$x'] } } } }, let: { x: 2 } },
  { update: 'x', updates: [{ q: QUERY, u: { $set: { b: 1 } } }], let: { x: 1 } },
  { update: 'x', updates: [{ q: { _id: 2 }, u: [{ $set: { c: '$$x' } }] }], let: { x: 'set' } },
  {
    findAndModify: 'x',
    query: QUERY,
    update: [{ $set: { d: '$$x' } }],
    fields: { e: '$$x' },
    new: true,
    let: { x: 2 },
  },
  { delete: 'x', deletes: [{ q: QUERY, limit: 0 }], let: { x: 1 } },
  { find: 'x', sort: { _id: 1 } },
  { insert: 'x', documents: [{ _id: 1, a: 1 }] },
  ...[
    [{ $match: QUERY }],
    [{ $sort: { _id: 1 } }, { $project: { y: '$$x', z: { $add: ['$a', '$$x'] } } }],
    [{ $sort: { _id: 1 } }, { $addFields: { y: { $let: { vars: { x: 7 }, in: '$$x' } } } }],
    [{ $group: { _id: '$$x', n: { $sum: '$$x' } } }],
    [{ $match: {} }, { $group: { _id: 1, n: { $sum: '$$x' } } }],
    [{ $sort: { _id: 1 } }, { $lookup: { from: 'x', pipeline: [{ $match: QUERY }], as: 'l' } }],
    [{ $sort: { _id: 1 } }, { $lookup: { from: 'x', pipeline: [{ $project: { y: '$$x' } }], as: 'l' } }],
    [{ $sort: { _id: 1 } }, { $lookup: { from: 'x', let: { x: 1 }, pipeline: [{ $match: QUERY }], as: 'l' } }],
    [{ $limit: 1 }, { $unionWith: { coll: 'x', pipeline: [{ $match: { _id: 1 } }, { $project: { y: '$$x' } }] } }],
    [{ $facet: { f: [{ $project: { _id: 0, y: '$$x' } }] } }],
    [{ $project: { y: '$$z' } }],
  ].map((pipeline) => ({ aggregate: 'x', pipeline, cursor: {}, let: { x: 2 } })),
  { aggregate: 'x', pipeline: [{ $match: QUERY }], cursor: {}, let: { x: '$a' } },
  { aggregate: 'x', pipeline: [{ $match: QUERY }], cursor: {}, let: { x: { $add: [1, 1] } } },
];
