import type { Document } from 'bson';
import { type TypeName, typeMismatch, typeOf } from '../lib/index.ts';

type OptionTypes = Readonly<Record<string, readonly TypeName[]>>;

const NUMBER = ['int', 'long', 'double', 'decimal'] as const;
const BOOL = ['bool'] as const;
const FLAG = ['bool', ...NUMBER] as const;
const OBJECT = ['object'] as const;

const WRITE: OptionTypes = { ordered: BOOL, bypassDocumentValidation: FLAG, let: OBJECT };

/** The types that MongoDB accepts for options that are not validated where they are read. */
const COMMAND_OPTIONS: Readonly<Record<string, OptionTypes>> = {
  find: {
    projection: OBJECT,
    limit: NUMBER,
    batchSize: NUMBER,
    singleBatch: BOOL,
    noCursorTimeout: BOOL,
    allowPartialResults: BOOL,
    allowDiskUse: BOOL,
    collation: OBJECT,
  },
  aggregate: {
    readConcern: OBJECT,
    allowDiskUse: BOOL,
    bypassDocumentValidation: FLAG,
    collation: OBJECT,
    cursor: OBJECT,
    let: OBJECT,
  },
  count: { collation: OBJECT },
  distinct: { collation: OBJECT },
  insert: WRITE,
  bulkWrite: { ...WRITE, errorsOnly: BOOL, cursor: OBJECT },
  update: WRITE,
  delete: WRITE,
  findAndModify: {
    remove: FLAG,
    new: FLAG,
    upsert: FLAG,
    bypassDocumentValidation: FLAG,
    arrayFilters: ['array'],
    fields: OBJECT,
    collation: OBJECT,
    let: OBJECT,
  },
  createIndexes: { commitQuorum: [...NUMBER, 'string'] },
  dropIndexes: { index: ['string', 'object', 'array'] },
  listIndexes: { cursor: OBJECT },
  listCollections: { cursor: OBJECT, nameOnly: BOOL, authorizedCollections: BOOL },
  collStats: { scale: NUMBER },
  dbStats: { scale: NUMBER },
};

const STATEMENT_OPTIONS: Readonly<Record<string, OptionTypes>> = {
  updates: { upsert: BOOL, multi: BOOL, arrayFilters: ['array'], collation: OBJECT },
  deletes: { collation: OBJECT },
  indexes: { unique: FLAG, sparse: FLAG },
};

/** @throws CommandError 14 for a command option of another type */
export function checkOptionTypes(name: string, body: Document): void {
  check(name, body, COMMAND_OPTIONS[name === 'findandmodify' ? 'findAndModify' : name]);
}

/** @throws CommandError 14 for an option of another type in a statement or an index specification */
export function checkStatementTypes(name: 'updates' | 'deletes' | 'indexes', statement: Document): void {
  check(name, statement, STATEMENT_OPTIONS[name]);
}

/** An option that is null counts as absent, as in MongoDB. */
function check(name: string, body: Document, types: OptionTypes = {}): void {
  for (const [option, accepted] of Object.entries(types)) {
    const type = typeOf(body[option]);
    if (type === 'missing' || type === 'null' || accepted.includes(type)) continue;
    throw typeMismatch(
      `BSON field '${name}.${option}' is the wrong type '${type}', expected ${accepted.length > 1 ? 'types' : 'type'} '${accepted.join(', ')}'`,
    );
  }
}
