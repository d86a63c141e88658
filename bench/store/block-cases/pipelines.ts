import type { Document } from 'bson';
import { aggregate, type Cases, fields, numbers, path, range, type Sections } from './commands.ts';

const onItems = (...stages: Document[]): Sections => aggregate('items', ...stages);
const onList = (...stages: Document[]): Sections => aggregate('list', { $match: { _id: 1 } }, ...stages);
const onText = (...stages: Document[]): Sections => aggregate('text', ...stages);
const project = (x: unknown): Document => ({ $project: { x } });
const size = (x: unknown): Document => project({ $size: x });
const reduce = (count: number, initialValue: unknown, expression: Document): Document => ({
  $reduce: { input: range(count), initialValue, in: expression },
});
/** A value that contains itself twice, repeatedly. */
const doubled = (times: number, use: Document): Document =>
  numbers(times).reduce<Document>(
    (inner, i) => ({
      $let: { vars: { [`v${times - i}`]: [`$$v${times - i - 1}`, `$$v${times - i - 1}`] }, in: inner },
    }),
    use,
  );

// biome-ignore lint/suspicious/noThenProperty: the name of MongoDB
const branchOf = (i: number): Document => ({ case: { $eq: ['$rank', -i] }, then: i });

/** Pipelines and expressions. */
export const pipelineCases = (): Cases => ({
  $group: () => onItems({ $group: { _id: '$_id', tags: { $push: '$tags' } } }),
  '$group, $push of all': () =>
    aggregate('many', { $group: { _id: 1, all: { $push: '$_id' } } }, { $project: { n: { $size: '$all' } } }),
  '$group, $push of large': () =>
    aggregate('large', { $group: { _id: 1, all: { $push: '$value' } } }, { $project: { n: 1 } }),
  '$group, $addToSet': () => aggregate('many', { $group: { _id: 1, all: { $addToSet: '$_id' } } }),
  '$group by a large value': () => aggregate('large', { $group: { _id: '$value' } }, { $limit: 1 }),
  '$group by 5,000 accumulators': () => onItems({ $group: { _id: 1, ...fields(5000, (i) => ({ $sum: i })) } }),
  '$group, $mergeObjects': () =>
    onItems({ $group: { _id: 1, all: { $mergeObjects: { $arrayToObject: [[[{ $toString: '$_id' }, 1]]] } } } }),
  $sort: () => onItems({ $addFields: { x: 1 } }, { $sort: { rank: 1, text: -1 } }, { $limit: 1 }),
  '$sort, all of it': () => onItems({ $addFields: { x: 1 } }, { $sort: { rank: 1 } }, { $skip: 1 }),
  '$sort by large equal documents': () =>
    aggregate('large', { $addFields: { x: 1 } }, { $sort: { value: 1 } }, { $limit: 1 }),
  '$sort by long equal strings': () =>
    aggregate('long', { $addFields: { x: 1 } }, { $sort: { text: 1 } }, { $limit: 1 }),
  '$unwind, $group': () =>
    onItems({ $unwind: '$tags' }, { $group: { _id: { i: '$_id', t: '$tags' } } }, { $count: 'n' }),
  $lookup: () =>
    onItems({ $lookup: { from: 'items', localField: '_id', foreignField: '_id', as: 'x' } }, { $match: { x: 1 } }),
  '$lookup of all': () => onItems({ $limit: 1 }, { $lookup: { from: 'items', pipeline: [], as: 'x' } }),
  '$lookup by a large array': () =>
    onList(
      { $lookup: { from: 'items', localField: 'numbers', foreignField: '_id', as: 'x' } },
      { $project: { n: { $size: '$x' } } },
    ),
  $facet: () => onItems({ $facet: { a: [{ $group: { _id: '$rank' } }], b: [{ $sort: { text: 1 } }, { $limit: 1 }] } }),
  '$facet of all': () =>
    onItems({ $facet: { a: [{ $skip: 0 }], b: [{ $limit: 100_000 }] } }, { $project: { n: { $size: '$a' } } }),
  '$facet of 1,000': () => onItems({ $limit: 10 }, { $facet: fields(1000, () => [{ $limit: 1 }]) }),
  '$unionWith of many': () =>
    onItems(...numbers(200).map(() => ({ $unionWith: { coll: 'items', pipeline: [{ $match: { rank: -1 } }] } })), {
      $count: 'n',
    }),
  '1,000 stages': () => onItems(...numbers(1000).map(() => ({ $addFields: { x: 1 } }))),
  '20,000 stages': () => onItems({ $limit: 1 }, ...numbers(20_000).map(() => ({ $skip: 0 }))),
  '$sample of all': () => onItems({ $sample: { size: 100_000 } }),
  '$project of 14,000': () => onItems({ $project: fields(14_000, () => 1) }),
  '$addFields of 14,000 values': () => onItems({ $addFields: fields(14_000) }),
  '$addFields on a deep path': () => onItems({ $addFields: { [path(10_000)]: 1 } }),
  '$unset of 90,000': () => onItems({ $unset: numbers(90_000).map((i) => `f${i}`) }),
  '$switch of 8,000': () =>
    onItems(
      project({
        $switch: { branches: numbers(20_000).map((i) => branchOf(i)), default: 0 },
      }),
    ),
  '$cond, 90 deep': () =>
    onItems(project(numbers(85).reduce<unknown>((inner) => ({ $cond: [{ $gt: ['$rank', -1] }, inner, 0] }), 1))),
  'list: read': () => aggregate('list'),
  'list: $unwind': () => onList({ $unwind: '$numbers' }, { $match: { numbers: -1 } }),
  'list: $map': () => onList(size({ $map: { input: '$numbers', in: { $add: ['$$this', 1] } } })),
  'list: $filter': () => onList(project({ $filter: { input: '$numbers', cond: { $lt: ['$$this', 0] } } })),
  'list: $reduce': () =>
    onList(project({ $reduce: { input: '$numbers', initialValue: 0, in: { $add: ['$$this', '$$value'] } } })),
  'list: $setUnion': () => onList(size({ $setUnion: ['$numbers', '$numbers'] })),
  'list: $setIntersection': () => onList(size({ $setIntersection: [range(30_000), '$numbers'] })),
  'list: $in': () => onList(project({ $in: [-1, '$numbers'] })),
  'list: $indexOfArray': () => onList(project({ $indexOfArray: ['$numbers', -1] })),
  'list: $sum': () => onList(project({ $sum: '$numbers' })),
  'list: $max': () => onList(project({ $max: '$numbers' })),
  'list: $eq': () => onList(project({ $eq: ['$numbers', '$numbers'] })),
  'list: $slice': () => onList(project({ $slice: ['$numbers', 90_000] })),
  'list: $reverseArray': () => onList(size({ $reverseArray: '$numbers' })),
  'list: $sortArray': () => onList(size({ $sortArray: { input: '$numbers', sortBy: -1 } })),
  'list: $zip': () => onList(size({ $zip: { inputs: ['$numbers', '$numbers'] } })),
  'list: $concatArrays': () => onList(size({ $concatArrays: ['$numbers', '$numbers', '$numbers'] })),
  'list: $objectToArray': () => aggregate('fields', size({ $objectToArray: '$$ROOT' })),
  'list: $arrayToObject': () =>
    onList(project({ $arrayToObject: { $map: { input: '$numbers', in: [{ $toString: '$$this' }, 1] } } })),
  'list: $mergeObjects': () => aggregate('fields', project({ $mergeObjects: ['$$ROOT', '$$ROOT', '$$ROOT'] })),
  'list: $match': () =>
    onList({ $addFields: { x: 1 } }, { $match: { numbers: { $elemMatch: { $gt: 1e9, $lt: 2e9 } } } }),
  'nested $map': () =>
    onItems({ $limit: 1 }, project({ $map: { input: range(10_000), in: { $map: { input: range(10_000), in: 1 } } } })),
  '$reduce, $concatArrays': () =>
    onItems({ $limit: 1 }, size(reduce(20_000, [], { $concatArrays: ['$$value', ['$$this']] }))),
  '$reduce, doubling': () => onItems({ $limit: 1 }, size(reduce(40, [1], { $concatArrays: ['$$value', '$$value'] }))),
  '$reduce, doubling text': () =>
    onItems({ $limit: 1 }, project({ $strLenCP: reduce(40, 'x', { $concat: ['$$value', '$$value'] }) })),
  '$reduce, nesting': () => onItems({ $limit: 1 }, project(reduce(50_000, [], ['$$value'] as unknown as Document))),
  '$range of 3,000,000': () => onItems({ $limit: 1 }, size(range(3_000_000))),
  '$range of 290,000 in each document': () => onItems(size(range(290_000)), { $group: { _id: '$x' } }),
  'a value 60 times doubled, returned': () =>
    onItems({ $limit: 1 }, ...numbers(60).map(() => ({ $project: { a: ['$$ROOT', '$$ROOT'] } }))),
  'a value 60 times doubled, compared': () =>
    onItems(
      { $limit: 1 },
      project({ $let: { vars: { v0: 1 }, in: doubled(60, { $eq: ['$$v60', ['$$v59', '$$v59']] }) } }),
    ),
  'a value 60 times doubled, in a set': () =>
    onItems(
      { $limit: 1 },
      project({ $let: { vars: { v0: 1 }, in: doubled(60, { $setUnion: [['$$v60'], ['$$v59']] }) } }),
    ),
  'a value 60 times doubled, read by a path': () =>
    onItems(
      { $limit: 1 },
      project({
        $let: {
          vars: { v0: { a: 1 } },
          in: numbers(30).reduce<unknown>(
            (inner, i) => ({ $let: { vars: { [`v${30 - i}`]: { a: [`$$v${29 - i}`, `$$v${29 - i}`] } }, in: inner } }),
            `$$v30.${path(30)}`,
          ),
        },
      }),
    ),
  'a value 60 times doubled, grouped by': () =>
    onItems(
      { $limit: 1 },
      { $group: { _id: { $let: { vars: { v0: 1 }, in: doubled(60, '$$v60' as unknown as Document) } } } },
    ),
  '$substrCP of 15 MB': () => onText(project({ $substrCP: ['$text', 5, 5] })),
  '$toUpper of 15 MB': () => onText(project({ $strLenCP: { $toUpper: '$text' } })),
  '$concat of 15 MB': () => onText(project({ $strLenBytes: { $concat: ['$text', 'x'] } })),
  '$split of 15 MB': () => onText(size({ $split: ['$text', ' '] })),
  '$trim of 15 MB': () => onText(project({ $trim: { input: '$text' } })),
  '$indexOfCP of 15 MB': () => onText(project({ $indexOfCP: ['$text', 'zz'] })),
  '$replaceAll of 15 MB': () => onText(project({ $replaceAll: { input: '$text', find: 'b', replacement: 'xx' } })),
  '$regexFindAll of 15 MB': () => onText(size({ $regexFindAll: { input: '$text', regex: 'a' } })),
  '$regexMatch of 15 MB': () => onText(project({ $regexMatch: { input: '$text', regex: '(a|b)+c' } })),
  '$strcasecmp of 15 MB': () => onText(project({ $strcasecmp: ['$text', '$text'] })),
  '$toInt of 15 MB': () => onText(project({ $convert: { input: '$text', to: 'int', onError: 0 } })),
  '$toDecimal of digits': () =>
    onItems({ $limit: 1 }, project({ $convert: { input: '9'.repeat(5_000_000), to: 'decimal', onError: 0 } })),
  '$dateToString of 1 MB': () =>
    onItems(project({ $dateToString: { date: new Date(0), format: '%Y'.repeat(500_000) } })),
  '$pow, huge': () => onItems({ $limit: 1 }, project({ $pow: [10, 1e308] })),
});
