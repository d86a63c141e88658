import type { Document } from 'mongodb';
import type { CollectionName } from '../../src/store/collections.ts';

/** A filter on a collection; a command may contain several. */
export interface Query {
  collection: CollectionName;
  verb: 'find' | 'aggregate' | 'count' | 'distinct' | 'update' | 'delete' | 'findAndModify';
  filter: Document;
  sort: Document;
  /** The update document or pipeline; undefined for other commands. */
  update?: Document | Document[];
  isUpsert: boolean;
  /** The query as a command for `explain`. */
  explainable: Document;
}

/** Commands without a filter. */
const WITHOUT_FILTER = /^(getMore|killCursors|insert|commitTransaction|abortTransaction|endSessions|hello|ping)$/;

/**
 * All filters of a command as the driver sent it: of each update and delete of a batch, and each branch of `$unionWith`.
 * @throws Error for a command or stage that is not supported here
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
      return branchesOf(collection, command.pipeline as Document[]);
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
      if (WITHOUT_FILTER.test(name)) return [];
      throw new Error(`${name}: add the command to test/scaling/queries.ts`);
  }
}

/** The driver represents a sort as a Map. */
const documentOf = (sort: unknown): Document =>
  sort instanceof Map ? Object.fromEntries(sort) : ((sort as Document) ?? {});

/** The query of the pipeline and those of the pipelines in its `$unionWith` stages. */
function branchesOf(collection: CollectionName, pipeline: readonly Document[]): Query[] {
  const matches = pipeline.flatMap((stage) => (stage.$match ? [stage.$match as Document] : []));
  const own = pipeline.filter((stage) => !stage.$unionWith);
  const unknown = own.flatMap(Object.keys).filter((name) => !KNOWN_STAGES.has(name));
  if (unknown.length > 0) throw new Error(`${unknown}: add the stage to test/scaling/queries.ts`);
  const sort = (own.find((stage) => stage.$sort)?.$sort ?? {}) as Document;
  const first: Query = {
    collection,
    verb: 'aggregate',
    filter: matches.length === 1 ? matches[0]! : matches.length === 0 ? {} : { $and: matches },
    sort,
    isUpsert: false,
    explainable: { aggregate: collection, pipeline: own, cursor: {} },
  };
  const others = pipeline.flatMap((stage) =>
    stage.$unionWith ? branchesOf(stage.$unionWith.coll, stage.$unionWith.pipeline) : [],
  );
  return [first, ...others];
}

const KNOWN_STAGES = new Set(['$match', '$sort', '$skip', '$limit', '$replaceWith', '$project', '$group', '$count']);

/** The alternatives of a filter that consists of `$or` only: the router targets each separately. */
export function alternativesOf(filter: Document): Document[] {
  const [[name, branches] = [], ...others] = Object.entries(filter);
  return name === '$or' && others.length === 0 ? (branches as Document[]).flatMap(alternativesOf) : [filter];
}

/** For each top-level field of a filter, whether it is compared with values or by another condition. */
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
