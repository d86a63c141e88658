import type { Document } from 'mongodb';
import type { CollectionName } from '../../src/store/collections.ts';

/** One filter that a command asks a collection with; a command may hold several. */
export interface Query {
  collection: CollectionName;
  verb: 'find' | 'aggregate' | 'count' | 'distinct' | 'update' | 'delete' | 'findAndModify';
  filter: Document;
  sort: Document;
  /** What an update writes; undefined for anything else. */
  update?: Document | Document[];
  isUpsert: boolean;
  /** The same by itself, as `explain` takes it. */
  explainable: Document;
}

/** Commands that ask no collection by a filter. */
const OTHERS = /^(getMore|killCursors|insert|commitTransaction|abortTransaction|endSessions|hello|ping)$/;

/**
 * Every filter of a command as the driver sent it: each update and delete of a batch, and each leg of `$unionWith`.
 * @throws Error for a command or stage that nobody has thought about here
 */
export function queriesOf(name: string, command: Document): Query[] {
  const collection = command[name] as CollectionName;
  const query = (verb: Query['verb'], filter: Document, rest: Partial<Query> & { explainable: Document }): Query => ({
    collection,
    verb,
    filter,
    sort: {},
    isUpsert: false,
    ...rest,
  });
  switch (name) {
    case 'find': {
      const { find, filter = {}, limit, projection } = command;
      const sort = documentOf(command.sort);
      const explainable = { find, filter, sort, ...(limit && { limit }), ...(projection && { projection }) };
      return [query('find', filter, { sort, explainable })];
    }
    case 'aggregate':
      return legsOf(collection, command.pipeline as Document[]);
    case 'count':
    case 'distinct': {
      const { query: filter = {}, key } = command;
      return [query(name, filter, { explainable: { [name]: collection, query: filter, ...(key && { key }) } })];
    }
    case 'update':
      return (command.updates as Document[]).map((update) =>
        query('update', update.q, {
          update: update.u,
          isUpsert: update.upsert === true,
          explainable: { update: collection, updates: [update] },
        }),
      );
    case 'delete':
      return (command.deletes as Document[]).map((one) =>
        query('delete', one.q, { explainable: { delete: collection, deletes: [one] } }),
      );
    case 'findAndModify': {
      const { query: filter = {}, update, upsert = false, remove, arrayFilters } = command;
      const sort = documentOf(command.sort);
      const change = remove ? { remove } : { update, upsert, ...(arrayFilters && { arrayFilters }) };
      const explainable = { findAndModify: collection, query: filter, sort, ...change };
      return [query('findAndModify', filter, { sort, update, isUpsert: upsert === true, explainable })];
    }
    default:
      if (OTHERS.test(name)) return [];
      throw new Error(`${name}: say in test/scaling/queries.ts what it asks`);
  }
}

/** The driver keeps the order of a sort in a Map. */
const documentOf = (sort: unknown): Document =>
  sort instanceof Map ? Object.fromEntries(sort) : ((sort as Document) ?? {});

/** The pipeline's own query, and that of each pipeline put behind it. */
function legsOf(collection: CollectionName, pipeline: readonly Document[]): Query[] {
  const matches = pipeline.flatMap((stage) => (stage.$match ? [stage.$match as Document] : []));
  const own = pipeline.filter((stage) => !stage.$unionWith);
  const unknown = own.flatMap(Object.keys).filter((name) => !KNOWN_STAGES.has(name));
  if (unknown.length > 0) throw new Error(`${unknown}: say in test/scaling/queries.ts what it asks`);
  const sort = (own.find((stage) => stage.$sort)?.$sort ?? {}) as Document;
  const leg: Query = {
    collection,
    verb: 'aggregate',
    filter: matches.length === 1 ? matches[0]! : matches.length === 0 ? {} : { $and: matches },
    sort,
    isUpsert: false,
    explainable: { aggregate: collection, pipeline: own, cursor: {} },
  };
  const others = pipeline.flatMap((stage) =>
    stage.$unionWith ? legsOf(stage.$unionWith.coll, stage.$unionWith.pipeline) : [],
  );
  return [leg, ...others];
}

const KNOWN_STAGES = new Set(['$match', '$sort', '$skip', '$limit', '$replaceWith', '$project', '$group', '$count']);

/** A filter that is nothing but alternatives, as the router sees it: each for itself. */
export function alternativesOf(filter: Document): Document[] {
  const [[name, branches] = [], ...others] = Object.entries(filter);
  return name === '$or' && others.length === 0 ? (branches as Document[]).flatMap(alternativesOf) : [filter];
}

/** How a filter names each field at its top: by values, or otherwise. */
export function conditionsOf(filter: Document): Map<string, 'values' | 'other'> {
  const found = new Map<string, 'values' | 'other'>();
  for (const [name, condition] of Object.entries(filter)) {
    if (name === '$and') {
      for (const [field, kind] of (condition as Document[]).flatMap((one) => [...conditionsOf(one)])) {
        if (found.get(field) !== 'values') found.set(field, kind);
      }
    } else if (!name.startsWith('$')) {
      found.set(name, namesValues(condition) ? 'values' : 'other');
    }
  }
  return found;
}

function namesValues(condition: unknown): boolean {
  if (condition instanceof RegExp) return false;
  if (typeof condition !== 'object' || condition === null) return true;
  const operators = Object.keys(condition).filter((name) => name.startsWith('$'));
  return operators.length === 0 || operators.some((name) => name === '$in' || name === '$eq');
}
