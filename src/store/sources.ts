import type { Document } from 'mongodb';
import { ObjectId } from 'mongodb';
import { compositeKey } from '../lib/composite-key.ts';
import type { BatchSource } from './batcher.ts';
import type { CollectionName, Records } from './collections.ts';
import type { Find } from './find.ts';

/** Two ids that together identify a record, such as a community and a user. */
export type Pair = readonly [string, string];

/** Loads records by one unique public id. */
export function byKey<Name extends CollectionName>(
  find: Find,
  name: Name,
  field: keyof Records[Name] & string,
  where: Document = {},
): BatchSource<string, Records[Name]> {
  return {
    collection: name,
    keyOf: (key) => key,
    filterOf: (networkId, key) => ({ ...where, networkId, [field]: key }),
    async fetch(networkId, keys) {
      const records = await find(name, {
        ...where,
        networkId,
        [field]: keys.length === 1 ? keys[0] : { $in: keys },
      });
      return new Map(records.map((record) => [String(record[field]), record]));
    },
  };
}

/** Loads records by internal id, 24 hex digits; other strings match no record. */
export function byInternalId<Name extends CollectionName>(find: Find, name: Name): BatchSource<string, Records[Name]> {
  return {
    collection: name,
    keyOf: (key) => key,
    // An id never changes, so its type is irrelevant.
    filterOf: (networkId, key) => ({ networkId, _id: key }),
    async fetch(networkId, keys) {
      const ids = keys.filter((key) => /^[0-9a-f]{24}$/.test(key)).map((key) => new ObjectId(key));
      if (ids.length === 0) return new Map();
      const records = await find(name, { networkId, _id: { $in: ids } });
      return new Map(records.map((record) => [record._id.toHexString(), record]));
    },
  };
}

/**
 * Loads message feeds by id. An id that names none may be the earlier id of a default feed, which is still its `_id`
 * (docs/decisions/0025-default-feed-has-the-id-of-its-channel.md).
 */
export function byFeedId(find: Find): BatchSource<string, Records['messageFeeds']> {
  const current = byKey(find, 'messageFeeds', 'messageFeedId');
  const earlier = byInternalId(find, 'messageFeeds');
  return {
    collection: current.collection,
    keyOf: current.keyOf,
    filterOf: (networkId, key) => ({ networkId, $or: [{ messageFeedId: key }, { _id: key }] }),
    async fetch(networkId, keys) {
      const found = await current.fetch(networkId, keys);
      const missing = keys.filter((key) => !found.has(key));
      return missing.length === 0 ? found : new Map([...found, ...(await earlier.fetch(networkId, missing))]);
    },
  };
}

/** Loads all records of a pair of ids, unordered; an index of the collection must start with the pair. */
export function byPairMany<Name extends CollectionName>(
  find: Find,
  name: Name,
  fields: readonly [keyof Records[Name] & string, keyof Records[Name] & string],
  where: Document = {},
): BatchSource<Pair, Records[Name][]> {
  const [first, second] = fields;
  return {
    collection: name,
    keyOf: pairText,
    partsOf: (pair) => pair,
    filterOf: (networkId, [a, b]) => ({ ...where, networkId, [first]: a, [second]: b }),
    async fetch(networkId, pairs) {
      const records = await find(name, pairsFilter({ networkId, ...where }, { first, second, pairs }));
      const found = new Map<string, Records[Name][]>();
      for (const record of records) {
        const text = pairText([String(record[first]), String(record[second])]);
        const group = found.get(text);
        if (group) group.push(record);
        else found.set(text, [record]);
      }
      return found;
    },
  };
}

/** Loads all records with an id in a non-unique field, unordered. `path` may be nested; an index must start with it. */
export function byKeyMany<Name extends CollectionName>(
  find: Find,
  name: Name,
  path: string,
): BatchSource<string, Records[Name][]> {
  return {
    collection: name,
    keyOf: (key) => key,
    filterOf: (networkId, key) => ({ networkId, [path]: key }),
    async fetch(networkId, keys) {
      const records = await find(name, { networkId, [path]: keys.length === 1 ? keys[0] : { $in: keys } });
      const found = new Map<string, Records[Name][]>();
      for (const record of records) {
        const key = String(
          path.split('.').reduce<unknown>((value, step) => (value as Document | undefined)?.[step], record),
        );
        const group = found.get(key);
        if (group) group.push(record);
        else found.set(key, [record]);
      }
      return found;
    },
  };
}

/** Loads the record of a pair of ids that is unique in the collection. */
export function byPair<Name extends CollectionName>(
  find: Find,
  name: Name,
  fields: readonly [keyof Records[Name] & string, keyof Records[Name] & string],
  where: Document = {},
): BatchSource<Pair, Records[Name]> {
  const many = byPairMany(find, name, fields, where);
  return {
    collection: name,
    keyOf: many.keyOf,
    partsOf: many.partsOf!,
    filterOf: many.filterOf!,
    async fetch(networkId, pairs) {
      const found = await many.fetch(networkId, pairs);
      return new Map([...found].flatMap(([text, records]) => (records[0] ? [[text, records[0]] as const] : [])));
    },
  };
}

function pairText([first, second]: Pair): string {
  return compositeKey(first, second);
}

interface Pairs {
  first: string;
  second: string;
  pairs: Pair[];
}

/**
 * Builds one `$in` per distinct id of the side that has fewer of them: for a page of one viewer or community, a single
 * one. Each branch includes the network, since the planner chooses an index per branch.
 */
function pairsFilter(where: Document, { first, second, pairs }: Pairs): Document {
  const byFirst = groupPairs(pairs, (pair) => pair);
  const bySecond = groupPairs(pairs, ([a, b]) => [b, a]);
  const branches =
    byFirst.size <= bySecond.size
      ? [...byFirst].map(([a, others]) => ({ ...where, [first]: a, [second]: { $in: others } }))
      : [...bySecond].map(([b, others]) => ({ ...where, [first]: { $in: others }, [second]: b }));
  return branches.length === 1 ? branches[0]! : { $or: branches };
}

/** Groups the second ids by the first; a batch contains no pair twice. */
function groupPairs(pairs: Pair[], turn: (pair: Pair) => Pair): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [key, other] of pairs.map(turn)) {
    const group = groups.get(key);
    if (group) group.push(other);
    else groups.set(key, [other]);
  }
  return groups;
}
