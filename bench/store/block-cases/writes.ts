import { BSON } from 'bson';
import {
  type Cases,
  fields,
  find,
  insert,
  itemOf,
  nested,
  numbers,
  path,
  RARE,
  type Sections,
  update,
} from './commands.ts';

const BIG = 1_000_000;
/** Nearly the maximum number of elements of a document. */
const FULL = 99_000;
const rows = (count: number) => numbers(count).map((i) => ({ i, j: i % 7 }));
/**
 * The commit of a transaction is one piece, because LMDB shows an open write transaction to every reader of the
 * process. At 11 µs for each document of a collection with three indexes, 50 ms are reached at about 4,500; see the
 * limits in docs/reference/embedded-store.md.
 */
const COMMITTED_DOCUMENTS = 3000;

function commitOfTransaction(): Sections {
  const session = { lsid: { id: new BSON.UUID() }, txnNumber: BSON.Long.fromNumber(1), autocommit: false };
  const updates = update('transacted', {}, { $inc: { n: 1, m: 1 } }, { multi: true });
  return {
    before: [
      insert(
        'transacted',
        numbers(COMMITTED_DOCUMENTS).map((i) => ({ ...itemOf(i), n: i, m: -i })),
      ),
      ...['n', 'm'].map((name) => ({ body: { createIndexes: 'transacted', indexes: [{ key: { [name]: 1 }, name }] } })),
      { ...updates, body: { ...updates.body, ...session, startTransaction: true } },
    ],
    body: { commitTransaction: 1, $db: 'admin', ...session },
  };
}

const retryable = (sections: Sections): Sections => ({
  ...sections,
  body: { ...sections.body, lsid: { id: new BSON.UUID() }, txnNumber: BSON.Long.fromNumber(1) },
});

/** Commands that write or define; `count` is the number of documents in `items`. */
export const writeCases = (count: number): Cases => ({
  'insert of many': () =>
    insert(
      'inserted',
      numbers(count).map((i) => ({ ...itemOf(i), _id: new BSON.ObjectId() })),
    ),
  'insert of 100,000 small': () =>
    insert(
      'inserted',
      numbers(100_000).map((i) => ({ x: i })),
    ),
  'insert of 100,000 in the body': () => ({
    body: { insert: 'inserted', documents: numbers(100_000).map((i) => ({ x: i })) },
  }),
  'insert of 100,000, each refused': () => ({
    body: { insert: 'items', ordered: false, documents: numbers(100_000).map((i) => ({ _id: i % 1000 })) },
  }),
  'insert of 15 MB array': () => insert('inserted', [{ numbers: numbers(BIG) }]),
  'insert of a full list': () => insert('inserted', [{ numbers: numbers(FULL) }]),
  'insert of full lists': () =>
    insert(
      'inserted',
      numbers(20).map(() => ({ numbers: numbers(FULL) })),
    ),
  'insert of full decimals': () =>
    insert('inserted', [{ numbers: numbers(FULL).map((i) => BSON.Decimal128.fromString(`${i}.25`)) }]),
  'insert of full strings': () => insert('inserted', [{ texts: numbers(FULL).map((i) => `${'é'.repeat(60)}${i}`) }]),
  'insert of full objects': () => insert('inserted', [{ rows: rows(9000) }]),
  'insert of full empty objects': () => insert('inserted', [{ rows: numbers(FULL).map(() => ({})) }]),
  'insert of full fields': () => insert('inserted', [fields(19_900)]),
  'insert of 100 deep': () =>
    insert(
      'inserted',
      numbers(5000).map(() => nested(100)),
    ),
  'insert of 15 MB text': () => insert('inserted', [{ text: 'é'.repeat(7_500_000) }]),
  'insert of three 15 MB texts': () =>
    insert(
      'inserted',
      numbers(3).map(() => ({ text: 'x'.repeat(15_000_000) })),
    ),
  'replacement by 10 MB binary': () => update('items', { _id: 6 }, { data: new BSON.Binary(Buffer.alloc(10_000_000)) }),
  'update of 10 MB text': () => update('text10', { _id: 1 }, { $inc: { n: 1 } }),
  'insert of 15 MB binary': () => insert('inserted', [{ data: new BSON.Binary(Buffer.alloc(15_000_000)) }]),
  'insert, multikey of 9,900': () => insert('indexed', [{ list: numbers(9900) }]),
  'insert, multikey of 9,900 equal': () => insert('indexed', [{ list: numbers(9900).map(() => 1) }]),
  'insert, multikey of 9,900 long': () =>
    insert('indexed', [{ list: numbers(9900).map((i) => `${'x'.repeat(1500)}${i}`) }]),
  'update, multikey of 9,900': () => update('keyed', {}, { $inc: { 'list.$[]': 10_000 } }),
  'deletion, multikey of 9,900': () => ({ body: { delete: 'indexed', deletes: [{ q: {}, limit: 1 }] } }),
  'update of all': () => update('items', {}, { $inc: { rank: 1 } }, { multi: true }),
  'update of all by a pipeline': () => update('items', {}, [{ $set: { y: { $add: ['$rank', 1] } } }], { multi: true }),
  'commit of a transaction of 3,000': commitOfTransaction,
  'update of one, searching': () => update('items', RARE, { $set: { x: 1 } }),
  'update: 10,000 statements': () => ({
    body: { update: 'items', updates: numbers(10_000).map((i) => ({ q: { _id: i }, u: { $inc: { n: 1 } } })) },
  }),
  'update: 100,000 statements': () => ({
    body: { update: 'items', updates: numbers(100_000).map(() => ({ q: { _id: -1 }, u: { $inc: { n: 1 } } })) },
  }),
  'update: 50,000 upserts': () => ({
    body: {
      update: 'upserted',
      updates: numbers(50_000).map(() => ({ q: { _id: new BSON.ObjectId() }, u: { $set: { n: 1 } }, upsert: true })),
    },
  }),
  'update: 90,000 refused statements': () => ({
    body: {
      update: 'items',
      ordered: false,
      updates: numbers(90_000).map(() => ({ q: { _id: 1 }, u: { $inc: { text: 1 } } })),
    },
  }),
  'update: retryable, 10,000 statements': () =>
    retryable({
      body: { update: 'items', updates: numbers(10_000).map((i) => ({ q: { _id: i }, u: { $inc: { n: 1 } } })) },
    }),
  'update, $[] of 9,000': () => update('rows', {}, { $inc: { 'rows.$[].j': 1 } }),
  'update, $[name] of 9,000': () =>
    update('rows', {}, { $inc: { 'rows.$[r].j': 1 } }, { arrayFilters: [{ 'r.i': { $gt: 5 } }] }),
  'update, $[name] by 5,000 conditions': () =>
    update(
      'rows',
      {},
      { $inc: { 'rows.$[r].j': 1 } },
      { arrayFilters: [{ $or: numbers(5000).map((i) => ({ 'r.i': -i })) }] },
    ),
  'update, nested $[]': () => update('grid', {}, { $inc: { 'rows.$[].$[]': 1 } }),
  'update by a pipeline of 9,000': () =>
    update('rows', {}, [
      { $set: { rows: { $map: { input: '$rows', in: { i: '$$this.i', j: { $add: ['$$this.j', 1] } } } } } },
    ]),
  'update of 7,000 fields': () => update('items', { _id: 1 }, { $set: fields(7_000) }),
  'update of 19,000 fields': () => update('items', { _id: 2 }, { $set: fields(19_000) }),
  'update, $unset of 19,000': () => update('items', { _id: 3 }, { $unset: fields(19_000, () => 1) }),
  'update, $rename of 7,000': () => update('items', { _id: 4 }, { $rename: fields(7_000, (i) => `g${i}`) }),
  'update on a deep path': () => update('items', { _id: 5 }, { $set: { [path(100_000)]: 1 } }),
  'update, deep in arrays': () => update('nestedArrays', {}, { $inc: { [`${path(15, 'a.$[]')}.a`]: 1 } }),
  'update, padding of arrays': () =>
    update('padded', {}, { $set: Object.fromEntries(numbers(200).map((i) => [`l${i}.1400000`, 1])) }),
  'update, replacement of 19,900 fields': () => update('items', { _id: 7 }, fields(19_900)),
  'update, 5,000 arrayFilters': () =>
    update(
      'rows',
      {},
      { $set: Object.fromEntries(numbers(5000).map((i) => [`rows.$[r${i}].j`, 1])) },
      {
        arrayFilters: numbers(5000).map((i) => ({ [`r${i}.i`]: i })),
      },
    ),
  '$push to 90,000': () => update('list', { _id: 1 }, { $push: { numbers: 1 } }),
  '$push of 90,000': () => update('items', { _id: 8 }, { $push: { pushed: { $each: numbers(90_000) } } }),
  '$push of 90,000, sorted': () =>
    update('items', { _id: 9 }, { $push: { pushed: { $each: numbers(90_000), $sort: -1 } } }),
  '$push of 9,000 documents, sorted': () =>
    update('items', { _id: 10 }, { $push: { pushed: { $each: rows(9000), $sort: { j: 1, i: -1 } } } }),
  '$addToSet of 2,000 to 90,000': () =>
    update('list', { _id: 1 }, { $addToSet: { numbers: { $each: numbers(2000).map((i) => -i) } } }),
  '$addToSet of 90,000': () => update('items', { _id: 11 }, { $addToSet: { tags: { $each: numbers(90_000) } } }),
  '$pull from 90,000': () => update('list', { _id: 1 }, { $pull: { numbers: { $lt: 0 } } }),
  '$pullAll of 2,000 from 90,000': () =>
    update('list', { _id: 1 }, { $pullAll: { numbers: numbers(2000).map((i) => -i) } }),
  '$pullAll of 90,000': () => update('list', { _id: 1 }, { $pullAll: { numbers: numbers(90_000).map((i) => -i) } }),
  'findAndModify, searching': () => ({ body: { findAndModify: 'items', query: RARE, update: { $set: { x: 1 } } } }),
  'findAndModify of a full document': () => ({
    body: { findAndModify: 'list', query: { _id: 1 }, update: { $inc: { n: 1 } }, new: true },
  }),
  'findAndModify, retryable, of a full document': () =>
    retryable({ body: { findAndModify: 'list', query: { _id: 1 }, update: { $inc: { n: 1 } }, new: true } }),
  createIndexes: () => ({ body: { createIndexes: 'many', indexes: [{ key: { x: 1, y: 1 }, name: 'x' }] } }),
  dropIndexes: () => ({ body: { dropIndexes: 'many', index: '*' } }),
  'createIndexes, multikey of 90,000': () => ({
    body: { createIndexes: 'list', indexes: [{ key: { numbers: 1 }, name: 'x' }] },
  }),
  'createIndexes of 10,000': () => ({
    body: { createIndexes: 'empty', indexes: numbers(10_000).map((i) => ({ key: { [`f${i}`]: 1 }, name: `f${i}` })) },
  }),
  'createIndexes, deep path': () => ({
    body: { createIndexes: 'empty', indexes: [{ key: { [path(100_000)]: 1 }, name: 'deep' }] },
  }),
  'createIndexes, partial, 5,000 conditions': () => ({
    body: {
      createIndexes: 'partial',
      indexes: [
        {
          key: { a: 1 },
          name: 'p',
          partialFilterExpression: { $and: numbers(5000).map((i) => ({ rank: { $gt: i } })) },
        },
      ],
    },
  }),
  'deletion, searching': () => ({ body: { delete: 'items', deletes: [{ q: RARE, limit: 0 }] } }),
  'deletion: 100,000 statements': () => ({
    body: { delete: 'items', deletes: numbers(100_000).map((i) => ({ q: { _id: -i }, limit: 1 })) },
  }),
  'deletion of all': () => ({ body: { delete: 'inserted', deletes: [{ q: {}, limit: 0 }] } }),
  'drop of many': () => ({ body: { drop: 'many' } }),
  'find while it is removed': () => find('items', RARE),
  dropDatabase: () => ({ body: { dropDatabase: 1 } }),
});
