import { BSON, type Document } from 'bson';
import { type Cases, fields, find, itemOf, nested, numbers, path, RARE } from './commands.ts';

/** Commands that read; `count` is the number of documents in `items`. */
export const readCases = (count: number): Cases => ({
  'find, nothing matches': () => find('items', RARE),
  'find, all in one batch': () => find('items', {}, { batchSize: count }),
  'find, sort': () => find('items', {}, { sort: { rank: 1, text: -1 } }),
  'find, sort by 32 fields': () => find('items', {}, { sort: fields(32, () => 1), batchSize: 1 }),
  'find, sort by long equal strings': () => find('long', {}, { sort: { text: 1 }, batchSize: 1 }),
  'find, sort by large equal documents': () => find('large', {}, { sort: { value: 1 }, batchSize: 1 }),
  'find, sort by a large array': () => find('large', {}, { sort: { list: 1 }, batchSize: 1 }),
  'find, projection': () => find('items', {}, { projection: { text: { $toUpper: '$text' } }, batchSize: count }),
  'find, projection of 14,000 fields': () => find('items', {}, { projection: fields(14_000, () => 1) }),
  'find, projection of 7,000 computed fields': () =>
    find('items', {}, { projection: fields(7_000, (i) => ({ $add: ['$rank', i] })), batchSize: 1 }),
  'find, projection of a deep path': () => find('items', {}, { projection: { [path(100_000)]: 1 } }),
  'find, filter on a deep path': () => find('items', { [path(1_000_000)]: 1 }),
  'find, filter on a deep path of arrays': () => find('nestedArrays', { [path(60)]: 2 }),
  'find, sort by a deep path': () => find('items', {}, { sort: { [path(1_000_000)]: 1 } }),
  'find, $in of 49,000': () => find('items', { _id: { $in: numbers(49_000) } }),
  'find, $in of 49,000 strings': () =>
    find('items', { _id: { $in: numbers(49_000).map((i) => `${'x'.repeat(100)}${i}`) } }),
  'find, $in of 10,000 documents': () => find('items', { rank: { $in: numbers(10_000).map((i) => ({ i, j: [i] })) } }),
  'find, $in of 49,000 without an index': () => find('items', { rank: { $in: numbers(49_000) } }),
  'find, $in of 49,000 with a sort': () => find('items', { _id: { $in: numbers(49_000) } }, { sort: { rank: 1 } }),
  'find, $in of 2,900 decimals': () =>
    find('items', { _id: { $in: numbers(2_900).map((i) => BSON.Decimal128.fromString(`${i}.5`)) } }),
  'find, $nin of 1,000,000': () => find('items', { rank: { $nin: numbers(1_000_000) } }),
  'find, $all of 90,000': () => find('items', { tags: { $all: numbers(90_000) } }),
  'find, $or of 7,000': () => find('items', { $or: numbers(7000).map((i) => ({ rank: -i, text: `${i}` })) }),
  'find, $or of 7,000 on the index': () => find('items', { $or: numbers(7000).map((i) => ({ _id: i })) }),
  'find, $or of 10,000': () => find('items', { $or: numbers(10_000).map((i) => ({ rank: -i, text: `${i}` })) }),
  'find, $and of ranges': () => find('items', { $and: numbers(7000).map((i) => ({ _id: { $gt: -i } })) }),
  'find, $in of 50,000 expressions': () =>
    find('items', { text: { $in: numbers(50_000).map((i) => new BSON.BSONRegExp(`x${i}$`)) } }),
  'find, deep $and': () =>
    find(
      'items',
      numbers(15).reduce<Document>((inner) => ({ $and: [inner, inner] }), { rank: 1 }),
    ),
  'find, nested equality': () => find('items', { rank: nested(150) }),
  'find, nested $elemMatch': () =>
    find(
      'nestedArrays',
      numbers(60).reduce<Document>((inner) => ({ a: { $elemMatch: inner } }), { a: 7 }),
    ),
  'find, equality with a document of 10,000': () => find('large', { value: fields(10_000) }),
  'find, $gt a long string': () => find('text', { text: { $gt: `${'ab '.repeat(4_900_000)}` } }),
  'find, hint': () => find('items', {}, { hint: fields(50_000, () => 1) }),
  'find, let of 7,000': () => find('items', {}, { let: fields(7_000) }),
  'regex, nested quantifiers': () => find('items', { text: { $regex: '^((lorem|ipsum)+ ?)+$' } }),
  'regex on 15 MB': () => find('text', { text: { $regex: '(a+b? )+c' } }),
  'regex, literal on 15 MB': () => find('text', { text: { $regex: 'abc' } }),
  'regex, ignoring case on 15 MB': () => find('text', { text: { $regex: 'abc', $options: 'i' } }),
  'regex, prefix on 15 MB': () => find('text', { text: { $regex: '^ac' } }),
  'regex, look-arounds on 15 MB': () => find('text', { text: { $regex: '(?=a)(?!b)c(?<=c)' } }),
  'regex, pattern of 1 MB': () => find('items', { text: { $regex: '(a|b)'.repeat(200_000) } }),
  'regex, literal of 10 MB': () => find('items', { text: { $regex: 'ab'.repeat(5_000_000) } }),
  'regex, class of 1 MB': () => find('items', { text: { $regex: `[${'a-z'.repeat(300_000)}]{20}x` } }),
  'regex, counted': () => find('items', { text: { $regex: '(.{0,200}){0,200}x$' } }),
  'regex, alternatives': () =>
    find('items', {
      text: {
        $regex: numbers(5000)
          .map((i) => `lorem${i}`)
          .join('|'),
      },
    }),
  count: () => ({ body: { count: 'items', query: RARE } }),
  'count of all': () => ({ body: { count: 'many' } }),
  'count by an index': () => ({ body: { count: 'many', query: { _id: { $gt: 1 } } } }),
  'countDocuments of all': () => ({
    body: { aggregate: 'many', pipeline: [{ $match: {} }, { $group: { _id: 1, n: { $sum: 1 } } }], cursor: {} },
  }),
  distinct: () => ({ body: { distinct: 'items', key: 'text' } }),
  'distinct of many': () => ({ body: { distinct: 'many', key: '_id' } }),
  'distinct of 37,000 in one document': () => ({ body: { distinct: 'list', key: 'numbers', query: { _id: 2 } } }),
  'distinct of large values': () => ({ body: { distinct: 'large', key: 'value' } }),
  explain: () => ({ body: { explain: { find: 'items', filter: RARE }, verbosity: 'executionStats' } }),
  'explain, $or of 5,000': () => ({
    body: { explain: { find: 'items', filter: { $or: numbers(5000).map((i) => ({ _id: i })) } } },
  }),
  'explain, $in of 49,000': () => ({ body: { explain: { find: 'items', filter: { _id: { $in: numbers(49_000) } } } } }),
  validate: () => ({ body: { validate: 'many' } }),
  collStats: () => ({ body: { collStats: 'many' } }),
  dbStats: () => ({ body: { dbStats: 1 } }),
  listCollections: () => ({ body: { listCollections: 1, cursor: {} } }),
  'listCollections, filter': () => ({
    body: { listCollections: 1, filter: { name: { $in: numbers(49_000).map(String) } }, cursor: {} },
  }),
  listIndexes: () => ({ body: { listIndexes: 'items' } }),
  'unknown option of 90,000': () => ({ body: { find: 'items', nothing: numbers(90_000) } }),
  'command of 19,900 fields': () => ({ body: { ping: 1, ...fields(19_900) } }),
  'command of 2,000,000 elements': () => ({ body: { find: 'items', filter: { a: numbers(2_000_000) } } }),
  'command of 47 MB': () => ({ body: { ping: 1, comment: 'x'.repeat(47_000_000) } }),
  'comment of 15 MB': () => ({ body: { ping: 1, comment: 'é'.repeat(7_500_000) } }),
  'killCursors of 90,000': () => ({
    body: { killCursors: 'items', cursors: numbers(90_000).map((i) => BSON.Long.fromNumber(i)) },
  }),
  'endSessions of 30,000': () => ({
    body: { endSessions: numbers(30_000).map(() => ({ id: new BSON.UUID() })) },
  }),
  'insert without documents, 90,000 in the body': () => ({
    body: { insert: 'inserted', stray: numbers(90_000).map(itemOf) },
  }),
});
