import type { Document } from 'mongodb';
import type { Context } from '../context.ts';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import { createReadBudget } from '../limits/read-budget.ts';
import { fingerprintOf } from '../store/fingerprint.ts';
import { readKeysetTogether } from '../store/keyset-batcher.ts';
import { cacheListsAs, loadValues, type PeekedValues, peekedValues } from '../store/loaders.ts';
import {
  type CachedName,
  fingerprintOfCached,
  type KnownReads,
  type SourceList,
  type SourceLoad,
  type Sources,
} from './read-log.ts';
import type { SharedLoad } from './shared-loads.ts';

/** `unknown`: not all sources are in memory. */
type Comparison = 'equal' | 'different' | 'unknown';

/**
 * Compares the sources of an answer with the records in memory, without a promise per source. A source is not compared
 * again before a change on which it may depend.
 */
export async function compareInMemory(sources: Sources<SharedLoad>, context: Context): Promise<Comparison> {
  const values = peekedValues(context.store.batchers, context.load);
  if (!values || !(values.isFresh() || (await values.whenFresh()))) return 'unknown';
  return compare(sources, values, context);
}

function compare({ loads, lists, cached }: Sources<SharedLoad>, values: PeekedValues, context: Context): Comparison {
  const { networkId } = context.viewer!;
  for (const [name, some] of loads) {
    const lastChange = values.lastChange(name);
    for (const load of some) {
      if (load.confirmedAt === lastChange && lastChange !== null) continue;
      const value = values.value(name, networkId, load.key);
      if (value === undefined) return 'unknown';
      if (fingerprintOf(value) !== load.fingerprint) return 'different';
      load.confirmedAt = lastChange;
    }
  }
  for (const list of lists) {
    const lastChange = values.lastChangeOfLists(list.query.collection.collectionName);
    if (list.confirmedAt === lastChange) continue;
    const records = values.list(list.text);
    if (records === undefined) return 'unknown';
    if (fingerprintOf(records) !== list.fingerprint) return 'different';
    list.confirmedAt = lastChange;
  }
  for (const { name, networkId: id, fingerprint } of cached) {
    const value = readCached(context, name, id);
    if (value instanceof Promise) return 'unknown';
    if (fingerprintOfCached(value) !== fingerprint) return 'different';
  }
  return 'equal';
}

export interface Found extends KnownReads {
  isUnchanged: boolean;
}

/**
 * Reads all sources of an answer again, within a budget of their own and with the slot of the request. If one has changed,
 * the execution that follows does not read the others again.
 *
 * @param isExpensive whether the execution held the slot of the request
 */
export async function readSources(sources: Sources, isExpensive: boolean, context: Context): Promise<Found> {
  const { store, viewer } = context;
  const budget = createReadBudget();
  budget.slot = context.reads.slot;
  cacheListsAs(budget, context.load);
  if (isExpensive) await budget.slot?.acquire();
  const { networkId } = viewer!;
  const lists = new Map<string, Document[]>();
  const values = new Map<string, unknown>();
  let isUnchanged = true;

  async function load(name: string, some: readonly SourceLoad[]) {
    const keys = some.map(({ key }) => key);
    const loaded = await loadValues(store.batchers, { name, networkId, keys, budget, loaders: context.load });
    for (const [index, { text, fingerprint }] of some.entries()) {
      const value = loaded[index];
      values.set(text, value);
      if (fingerprintOf(value) !== fingerprint) isUnchanged = false;
    }
  }

  async function list({ text, query, fingerprint }: SourceList) {
    const records = await readKeysetTogether({ ...query, budget });
    lists.set(text, records);
    if (fingerprintOf(records) !== fingerprint) isUnchanged = false;
  }

  async function cached({ name, networkId: id, fingerprint }: Sources['cached'][number]) {
    if (fingerprintOfCached(await readCached(context, name, id)) !== fingerprint) isUnchanged = false;
  }

  await Promise.all([
    ...Array.from(sources.loads, ([name, some]) => load(name, some)),
    ...sources.lists.map(list),
    ...sources.cached.map(cached),
  ]);
  return { isUnchanged, values, lists };
}

function readCached({ store }: Context, name: CachedName, networkId: string): MaybePromise<unknown> {
  if (name === 'roles') return store.roleCache.rolesOf(networkId);
  return name === 'settings' ? store.networkCache.settingsOf(networkId) : store.networkCache.contentRulesOf(networkId);
}
