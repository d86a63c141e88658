import type { Db, Document } from 'mongodb';
import { type CollectionName, INDEXES } from '../../src/store/collections.ts';
import { SHARD_KEYS } from '../../src/store/shard-keys.ts';
import { alternativesOf } from './queries.ts';

/**
 * The shards that a query reaches:
 * - `one`: those of the records it names;
 * - `part`: those of one range of the collection, such as the messages of a feed: nearly always a single shard;
 * - `network`: those with any part of the network's records: a single shard for a small network;
 * - `all`: every shard. Not allowed.
 */
export type Reach = 'one' | 'part' | 'network' | 'all';

/** Fields with so few values that they do not narrow a range. */
const LOW_CARDINALITY = new Set(['targetType', 'referenceType']);

const REACHES: readonly Reach[] = ['one', 'part', 'network', 'all'];

/** An index that begins with the fields of the shard key: its bounds in a plan show how a filter restricts them. */
export function indexOfShardKey(collection: CollectionName): Document | undefined {
  return indexOf(collection, Object.keys(SHARD_KEYS[collection] ?? {}));
}

function indexOf(collection: CollectionName, fields: readonly string[]): Document | undefined {
  const found = INDEXES[collection].find(({ key, partialFilterExpression }) => {
    const names = Object.keys(key);
    return !partialFilterExpression && fields.every((field, place) => names[place] === field);
  });
  return found?.key;
}

/**
 * Determines the reach of a filter. A router targets shards by the same bounds that a plan has for an index on the shard
 * key, so the filter is explained with a hint of such an index.
 */
export async function reachOf(db: Db, collection: CollectionName, filter: Document): Promise<Reach> {
  const key = SHARD_KEYS[collection];
  if (!key) return 'one';
  const fields = Object.keys(key);
  const reaches = await Promise.all(
    alternativesOf(filter).map(async (one): Promise<Reach> => {
      const bounds = await boundsOf(db, collection, one);
      const open = fields.findIndex((field) => !bounds[field]?.every(isPoint));
      if (open < 0) return 'one';
      if (open === 0) return 'all';
      return fields.slice(1, open).some((field) => !LOW_CARDINALITY.has(field)) ? 'part' : 'network';
    }),
  );
  return REACHES.findLast((reach) => reaches.includes(reach))!;
}

async function boundsOf(db: Db, collection: CollectionName, filter: Document): Promise<Record<string, string[]>> {
  // No query filters by the hash of events, which has no index here: its bounds are open.
  const hint = indexOfShardKey(collection) ?? indexOf(collection, ['networkId']);
  const plan = await explain(db, { find: collection, filter, hint });
  const scan = stagesOf(plan).find((stage) => stage.indexBounds);
  if (!scan) throw new Error(`no bounds in the plan of ${collection} ${JSON.stringify(filter)}`);
  return scan.indexBounds as Record<string, string[]>;
}

export async function explain(db: Db, command: Document): Promise<Document> {
  return db.command({ explain: command, verbosity: 'queryPlanner' });
}

/** Whether an interval contains one value: `["a", "a"]`. */
function isPoint(interval: string): boolean {
  const inner = interval.slice(1, -1);
  const half = (inner.length - 2) / 2;
  return /^\[.*\]$/s.test(interval) && inner.slice(0, half) === inner.slice(half + 2);
}

/** Whether every plan sorts in memory. For few records a server may do so although an index has the order. */
export function mustSort(plan: Document): boolean {
  if (Array.isArray(plan)) return plan.some(mustSort);
  if (typeof plan !== 'object' || plan === null) return false;
  if (!plan.winningPlan) return Object.values(plan).some(mustSort);
  const plans = [plan.winningPlan, ...((plan.rejectedPlans ?? []) as Document[])];
  return plans.every((one) => stagesOf(one).some(({ stage }) => stage === 'SORT'));
}

/** All stages of the winning plans, at any depth of the explain output. */
export function stagesOf(plan: Document): Document[] {
  if (Array.isArray(plan)) return plan.flatMap(stagesOf);
  if (typeof plan !== 'object' || plan === null) return [];
  const below = Object.entries(plan)
    .filter(([name]) => name !== 'rejectedPlans' && name !== 'command')
    .flatMap(([, value]) => stagesOf(value));
  return typeof plan.stage === 'string' ? [plan, ...below] : below;
}
