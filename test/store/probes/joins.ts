import type { Document } from 'bson';
import { ROWS } from './pipelines.ts';
import { aggregates, type Probe } from './probe.ts';

const FOREIGN: readonly Document[] = [
  { _id: 10, key: 'a', v: 1 },
  { _id: 11, key: ['a', 'b'], v: 2 },
  { _id: 12, key: null, v: 3 },
  { _id: 13, v: 4 },
  { _id: 14, key: 'x', sub: [{ key: 'b' }, { key: 'y' }], v: 5 },
];

const joins: Document[][] = [
  [{ $lookup: { from: 'foreign', localField: 'k', foreignField: 'key', as: 'j' } }],
  [{ $lookup: { from: 'foreign', localField: 't', foreignField: 'key', as: 'j' } }],
  [{ $lookup: { from: 'foreign', localField: 'k', foreignField: 'sub.key', as: 'j' } }],
  [{ $lookup: { from: 'foreign', localField: 'k', foreignField: 'key', as: 'n.j' } }],
  [{ $lookup: { from: 'foreign', localField: 'k', foreignField: 'key', as: 'k' } }],
  [{ $lookup: { from: 'nothing', localField: 'k', foreignField: 'key', as: 'j' } }],
  [{ $lookup: { from: 'foreign', pipeline: [{ $match: { v: { $gt: 3 } } }, { $sort: { v: -1 } }], as: 'j' } }],
  [
    {
      $lookup: {
        from: 'foreign',
        let: { id: '$_id' },
        pipeline: [{ $match: { $expr: { $eq: ['$v', '$$id'] } } }, { $project: { key: 1, same: '$$id' } }],
        as: 'j',
      },
    },
  ],
  [
    {
      $lookup: {
        from: 'foreign',
        let: { id: '$k' },
        pipeline: [{ $match: { v: { $lt: 4 } } }, { $match: { $expr: { $eq: ['$key', '$$id'] } } }, { $count: 'n' }],
        as: 'j',
      },
    },
  ],
  [
    {
      $lookup: {
        from: 'foreign',
        localField: 'k',
        foreignField: 'key',
        let: { i: '$_id' },
        pipeline: [{ $addFields: { i: '$$i' } }],
        as: 'j',
      },
    },
  ],
  [
    { $lookup: { from: 'foreign', localField: 'k', foreignField: 'key', as: 'j' } },
    { $unwind: '$j' },
    { $sort: { _id: 1, 'j._id': 1 } },
  ],
  [{ $lookup: { from: 'foreign', localField: 'k', as: 'j' } }],
  [{ $lookup: { from: 'foreign', as: 'j' } }],
  [{ $lookup: { from: 'foreign', localField: 'k', foreignField: 'key' } }],
  [{ $lookup: { from: 'foreign', localField: 5, foreignField: 'key', as: 'j' } }],
  [{ $lookup: 5 }],
  [{ $lookup: { from: 'foreign', localField: 'k', foreignField: 'key', as: 'j', x: 1 } }],
  [{ $lookup: { from: 'foreign', pipeline: [{ $foo: 1 }], as: 'j' } }],
  [{ $lookup: { from: 'foreign', let: { X: 1 }, pipeline: [], as: 'j' } }],
  [{ $lookup: { from: 'foreign', pipeline: [{ $match: { $expr: '$$nope' } }], as: 'j' } }],
  [{ $lookup: { from: 'foreign', pipeline: 5, as: 'j' } }],
  [{ $lookup: { from: 'foreign', pipeline: [], as: '$j' } }],
  [{ $unionWith: 'foreign' }, { $sort: { _id: 1 } }],
  [
    { $match: { _id: 1 } },
    { $unionWith: { coll: 'foreign', pipeline: [{ $match: { v: 1 } }, { $project: { v: 1 } }] } },
  ],
  [{ $unionWith: { coll: 'foreign', x: 1 } }],
  [{ $unionWith: 5 }],
];

const LOCAL: readonly Document[] = [
  { _id: 1, l: [] },
  { _id: 2, l: [null] },
  { _id: 3, l: { m: [1, 2] } },
  { _id: 4, l: [{ m: 1 }, { m: [2, 3] }, 5] },
  { _id: 5, l: /x/ },
  { _id: 6, l: [[1]] },
  { _id: 7, l: [{ x: 1 }] },
  { _id: 8 },
  { _id: 9, l: 1 },
];
const LOCAL_FOREIGN: readonly Document[] = [
  { _id: 1, f: 1 },
  { _id: 2, f: 2 },
  { _id: 3, f: [3, 1] },
  { _id: 4, f: null },
  { _id: 5, f: [] },
  { _id: 6 },
  { _id: 7, f: /x/ },
  { _id: 8, f: 'x' },
  { _id: 9, f: [[1]] },
];
const localJoins: Document[][] = ['l', 'l.m', 'l.0', 'l.x.y'].map((localField) => [
  { $lookup: { from: 'foreign', localField, foreignField: 'f', as: 'j' } },
]);

/** Stages that read a second collection. */
export const probes: Probe[] = [
  ...aggregates(ROWS, joins, { foreign: FOREIGN }),
  ...aggregates(LOCAL, localJoins, { foreign: LOCAL_FOREIGN }),
];
