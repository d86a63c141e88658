import type { Db, Document } from 'mongodb';
import { type CollectionName, INDEXES } from '../../src/store/collections.ts';
import { SHARD_KEYS } from '../../src/store/shard-keys.ts';
import { alternativesOf } from './queries.ts';

/**
 * Which shards a query goes to:
 * - `one`: those that hold the very records it names;
 * - `part`: those that hold one stretch of the collection, such as a feed's messages: nearly always a single one;
 * - `network`: all that hold a piece of the network's part of the collection, so for a small network a single one;
 * - `all`: every shard, whatever the network. No query may.
 */
export type Reach = 'one' | 'part' | 'network' | 'all';

/** Fields of so few values that naming one narrows nothing. */
const KINDS = new Set(['targetType', 'referenceType']);

const REACHES: readonly Reach[] = ['one', 'part', 'network', 'all'];

/** The index that holds the shard key's fields in order, by which a plan tells what a filter says of them. */
export function indexOfShardKey(collection: CollectionName): Document | undefined {
  const fields = Object.keys(SHARD_KEYS[collection] ?? {});
  const found = INDEXES[collection].find(({ key, partialFilterExpression }) => {
    const names = Object.keys(key);
    return !partialFilterExpression && fields.every((field, place) => names[place] === field);
  });
  return found?.key;
}

/**
 * What a router makes of a filter: it bounds the fields of the shard key as an index on them would be bounded, so the
 * plan that has to take such an index tells.
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
      return fields.slice(1, open).some((field) => !KINDS.has(field)) ? 'part' : 'network';
    }),
  );
  return REACHES.findLast((reach) => reaches.includes(reach))!;
}

async function boundsOf(db: Db, collection: CollectionName, filter: Document): Promise<Record<string, string[]>> {
  const hint = indexOfShardKey(collection);
  const plan = await explain(db, { find: collection, filter, hint });
  const scan = stagesOf(plan).find((stage) => stage.indexBounds);
  if (!scan) throw new Error(`no bounds in the plan of ${collection} ${JSON.stringify(filter)}`);
  return scan.indexBounds as Record<string, string[]>;
}

export async function explain(db: Db, command: Document): Promise<Document> {
  return db.command({ explain: command, verbosity: 'queryPlanner' });
}

/** `["a", "a"]` */
function isPoint(interval: string): boolean {
  const inner = interval.slice(1, -1);
  const half = (inner.length - 2) / 2;
  return /^\[.*\]$/s.test(interval) && inner.slice(0, half) === inner.slice(half + 2);
}

/** Whether every plan sorts what it has found: among few records a server may do so for no need. */
export function mustSort(plan: Document): boolean {
  if (Array.isArray(plan)) return plan.some(mustSort);
  if (typeof plan !== 'object' || plan === null) return false;
  if (!plan.winningPlan) return Object.values(plan).some(mustSort);
  const plans = [plan.winningPlan, ...((plan.rejectedPlans ?? []) as Document[])];
  return plans.every((one) => stagesOf(one).some(({ stage }) => stage === 'SORT'));
}

/** Every stage of the plans that won, wherever the server puts them. */
export function stagesOf(plan: Document): Document[] {
  if (Array.isArray(plan)) return plan.flatMap(stagesOf);
  if (typeof plan !== 'object' || plan === null) return [];
  const below = Object.entries(plan)
    .filter(([name]) => name !== 'rejectedPlans' && name !== 'command')
    .flatMap(([, value]) => stagesOf(value));
  return typeof plan.stage === 'string' ? [plan, ...below] : below;
}
