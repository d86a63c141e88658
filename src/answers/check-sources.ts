import type { Document } from 'mongodb';
import type { Context } from '../context.ts';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import { createReadBudget } from '../limits/read-budget.ts';
import { fingerprintOf } from '../store/fingerprint.ts';
import { readKeysetTogether } from '../store/keyset-batcher.ts';
import { cacheListsAs, loadValues, type PeekedValues, peekedValues } from '../store/loaders.ts';
import type { KeptSources } from './kept-sources.ts';
import {
  type CachedValue,
  fingerprintOfCached,
  type KnownReads,
  type LoadedKey,
  type ReadList,
  type Source,
} from './read-log.ts';

/** `unknown`: not all sources are in memory. */
type Comparison = 'equal' | 'different' | 'unknown';

/**
 * Compares the sources of an answer with the records in memory, without a promise per source. A source is not compared
 * again before a change on which it may depend.
 */
export async function compareInMemory(sources: KeptSources, context: Context): Promise<Comparison> {
  const values = peekedValues(context.store.batchers, context.load);
  if (!values || !(values.isFresh() || (await values.whenFresh()))) return 'unknown';
  const common = compare(sources.group.sources, values, context);
  return common === 'equal' ? compare(sources.own, values, context) : common;
}

function compare(sources: readonly Source[], values: PeekedValues, context: Context): Comparison {
  for (const source of sources) {
    const lastChange = lastChangeOf(source, values);
    if (lastChange !== null && lastChange === source.confirmedAt) continue;
    const fingerprint = fingerprintInMemory(source, values, context);
    if (fingerprint === null) return 'unknown';
    if (fingerprint !== source.fingerprint) return 'different';
    source.confirmedAt = lastChange;
  }
  return 'equal';
}

/** Number of the last change that may concern a source; null: not known. */
function lastChangeOf(source: Source, values: PeekedValues): number | null {
  if (source.kind === 'load') return values.lastChange(source.name);
  return source.kind === 'list' ? values.lastChangeOfLists(source.query.collection.collectionName) : null;
}

/** Fingerprint of the value that a source has now; null: it is not in memory. */
function fingerprintInMemory(source: Source, values: PeekedValues, context: Context): string | null {
  if (source.kind === 'cached') {
    const value = readCached(context, source);
    return value instanceof Promise ? null : fingerprintOfCached(value);
  }
  const value =
    source.kind === 'list'
      ? values.list(source.text)
      : values.value(source.name, context.viewer!.networkId, source.key);
  return value === undefined ? null : fingerprintOf(value);
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
export async function readSources(sources: readonly Source[], isExpensive: boolean, context: Context): Promise<Found> {
  const { store, viewer } = context;
  const budget = createReadBudget();
  budget.slot = context.reads.slot;
  cacheListsAs(budget, context.load);
  if (isExpensive) await budget.slot?.acquire();
  const { networkId } = viewer!;
  const lists = new Map<string, Document[]>();
  const values = new Map<string, unknown>();
  let isUnchanged = true;

  async function load(name: string, some: readonly LoadedKey[]) {
    const keys = some.map(({ key }) => key);
    const loaded = await loadValues(store.batchers, { name, networkId, keys, budget, loaders: context.load });
    for (const [index, { text, fingerprint }] of some.entries()) {
      const value = loaded[index];
      values.set(text, value);
      if (fingerprintOf(value) !== fingerprint) isUnchanged = false;
    }
  }

  async function list({ text, query, fingerprint }: ReadList) {
    const records = await readKeysetTogether({ ...query, budget });
    lists.set(text, records);
    if (fingerprintOf(records) !== fingerprint) isUnchanged = false;
  }

  async function cached(source: CachedValue) {
    if (fingerprintOfCached(await readCached(context, source)) !== source.fingerprint) isUnchanged = false;
  }

  const keys = new Map<string, LoadedKey[]>();
  const reading: Array<Promise<void>> = [];
  for (const source of sources) {
    if (source.kind !== 'load') reading.push(source.kind === 'list' ? list(source) : cached(source));
    else if (keys.has(source.name)) keys.get(source.name)!.push(source);
    else keys.set(source.name, [source]);
  }
  await Promise.all([...reading, ...Array.from(keys, ([name, some]) => load(name, some))]);
  return { isUnchanged, values, lists };
}

function readCached({ store }: Context, { name, networkId }: CachedValue): MaybePromise<unknown> {
  if (name === 'roles') return store.roleCache.rolesOf(networkId);
  return name === 'settings' ? store.networkCache.settingsOf(networkId) : store.networkCache.contentRulesOf(networkId);
}
