import { LRUCache } from 'lru-cache';
import type { Document } from 'mongodb';
import type { Context, Viewer } from '../context.ts';
import { compositeKey } from '../lib/composite-key.ts';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import { createReadBudget } from '../limits/read-budget.ts';
import { cacheHits, cacheLookups } from '../observe/metrics/definitions.ts';
import { fingerprintOf } from '../store/fingerprint.ts';
import { readKeysetTogether } from '../store/keyset-batcher.ts';
import { cacheListsAs, loadValues } from '../store/loaders.ts';
import { observedContext } from './observed-context.ts';
import {
  type CachedName,
  fingerprintOfCached,
  type KnownReads,
  ReadLog,
  type SourceLoad,
  type Sources,
  textOfLoad,
} from './read-log.ts';

/** How known answers are used. */
export type KnownAnswers =
  /** They are returned while everything that their execution read is unchanged. */
  | 'returned'
  /** For tests: every request is executed, and an answer that contradicts a kept one is an unhandled error. */
  | 'compared';

/** What a request that repeats an earlier one with the same key is answered with. */
export interface Answer {
  /** JSON. */
  text: string | Buffer;
  /** Whether the answer may be kept: it is complete, and repeating the request has no effect. */
  isKeepable: boolean;
}

export interface AnswerRequest<Executed extends Answer> {
  /** Identifies the operation and its variables. */
  key: string;
  context: Context;
  execute(context: Context): Promise<Executed>;
}

export interface AnswerCache {
  /** Answers a query: with the kept answer if it is what execution would return now, or else by executing it. */
  answer<Executed extends Answer>(request: AnswerRequest<Executed>): Promise<Executed | KeptAnswer>;
  readonly stats: Readonly<AnswerStats>;
  /** Estimated heap and buffer size of everything kept. */
  bytes(): number;
}

export interface KeptAnswer extends Answer {
  text: Buffer;
  isKept: true;
}

export interface AnswerStats {
  /** Requests answered with a kept answer. */
  returned: number;
  /** Kept answers that were dropped because something they were made from had changed. */
  outdated: number;
  /** Answers that were kept. */
  kept: number;
  /** Executions that agreed with a kept answer, where answers are compared. */
  confirmed: number;
}

export interface AnswerCacheOptions {
  /** Bound for everything kept, keys and sources included; 0 switches the cache off. */
  maxBytes: number;
  /** @default returned */
  use?: KnownAnswers;
}

/** Longest key and longest answer that are kept, in characters and bytes. */
const MAX_KEY = 4_096;
const MAX_ANSWER = 131_072;
/** Most reads of an execution whose answer is kept. */
const MAX_READS = 600;
/** Longest time that an answer is kept without being looked up, so that erased content does not stay in memory. */
const UNUSED_MS = 600_000;
/** How long operations are executed as usual after keeping their answers turned out not to pay. */
const UNFIT_MS = 60_000;
/** How many more changes than uses an answer may have. */
const MAX_CHANGES = 3;
/** Heap of an entry with its viewer, without texts and permissions. */
const ENTRY_BYTES = 1_024;
/** Heap of one permission of a viewer. */
const PERMISSION_BYTES = 64;

const lookups = cacheLookups.with('answers');
const hits = cacheHits.with('answers');

/** What is known about the requests with one key. */
type Entry =
  /** The first request was executed; the second is executed with its reads recorded. */
  | { state: 'seen'; changes: number }
  /** Answers cannot be reproduced, or change too often. */
  | { state: 'unfit' }
  | Kept;

interface Kept {
  state: 'kept';
  text: Buffer;
  /** Whether its execution held a slot for expensive requests until its end. */
  isExpensive: boolean;
  viewer: Viewer;
  sources: Sources;
  /** How much more often the answer has changed than it was used. */
  changes: number;
}

/**
 * Keeps answers to queries together with the fingerprints of everything that their execution read. When a request repeats,
 * all of it is read again, concurrently and through the usual loaders; if nothing has changed, execution could only
 * produce the same bytes, and the kept ones are returned. So a kept answer is as current as an executed one, and no write
 * needs to invalidate it: docs/decisions/0032-answers-checked-against-their-sources.md.
 */
export function createAnswerCache({ maxBytes, use = 'returned' }: AnswerCacheOptions): AnswerCache {
  const stats: AnswerStats = { returned: 0, outdated: 0, kept: 0, confirmed: 0 };
  const cache = new LRUCache<string, Entry>({
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: (entry, key) => ENTRY_BYTES + 2 * key.length + (entry.state === 'kept' ? bytesOfKept(entry) : 0),
    ttl: UNUSED_MS,
    updateAgeOnGet: true,
  });
  let purgedAt = performance.now();

  function set(key: string, entry: Entry): void {
    cache.set(key, entry, entry.state === 'unfit' ? { ttl: UNFIT_MS } : {});
    if (performance.now() - purgedAt < UNFIT_MS) return;
    purgedAt = performance.now();
    cache.purgeStale();
  }

  async function answer<Executed extends Answer>(request: AnswerRequest<Executed>): Promise<Executed | KeptAnswer> {
    const { context, execute } = request;
    const { viewer } = context;
    if (maxBytes === 0 || !viewer || request.key.length > MAX_KEY) return execute(context);
    const key = compositeKey(viewer.networkId, viewer.sessionId, request.key);
    lookups.add();
    const entry = cache.get(key, { updateAgeOnGet: cache.peek(key)?.state !== 'unfit' });
    if (!entry) {
      set(key, { state: 'seen', changes: 0 });
      return execute(context);
    }
    if (entry.state === 'unfit') return execute(context);
    if (entry.state === 'seen') return executeObserved(key, entry, request, new ReadLog());
    if (use === 'compared') return executeObserved(key, entry, request, new ReadLog());
    if (!isApplicable(entry, viewer, context.now())) {
      drop(key, entry);
      return executeObserved(key, { state: 'seen', changes: entry.changes + 1 }, request, new ReadLog());
    }
    const found = await readSources(entry, context).catch(() => null);
    if (!found) return execute(context);
    if (found.isUnchanged) {
      stats.returned += 1;
      hits.add();
      entry.changes = Math.max(-MAX_CHANGES, entry.changes - 1);
      return { text: entry.text, isKeepable: true, isKept: true };
    }
    drop(key, entry);
    if (entry.changes >= MAX_CHANGES) set(key, { state: 'unfit' });
    return executeObserved(key, { state: 'seen', changes: entry.changes + 1 }, request, new ReadLog(found));
  }

  function drop(key: string, entry: Kept): void {
    stats.outdated += 1;
    if (cache.peek(key) === entry) cache.delete(key);
  }

  /** Executes with recorded reads and keeps the answer, if that can pay. */
  async function executeObserved<Executed extends Answer>(
    key: string,
    entry: Exclude<Entry, { state: 'unfit' }>,
    { context, execute }: AnswerRequest<Executed>,
    log: ReadLog,
  ): Promise<Executed> {
    const executed = await execute(observedContext(context, log));
    const isExpensive = context.reads.slot?.isHeld ?? false;
    const sources = log.sources();
    if (use === 'compared' && entry.state === 'kept' && executed.isKeepable)
      compare(key, entry, { executed, sources, context, uncovered: log.uncovered });
    if (!executed.isKeepable) return executed;
    if (!isFit(executed, sources, log)) {
      set(key, { state: 'unfit' });
      return executed;
    }
    if (cache.peek(key)?.state === 'unfit') return executed;
    const text = Buffer.from(executed.text as string);
    const { changes } = entry;
    set(key, { state: 'kept', text, isExpensive, viewer: context.viewer!, sources, changes });
    stats.kept += 1;
    return executed;
  }

  /** The execution and the kept answer must agree if all that was read for the kept one was read again unchanged. */
  function compare(
    key: string,
    entry: Kept,
    {
      executed,
      sources,
      context,
      uncovered,
    }: { executed: Answer; sources: Sources; context: Context; uncovered: string | null },
  ): void {
    if (!isApplicable(entry, context.viewer!, context.now())) return;
    const { fingerprints } = entry.sources;
    const changed = [...fingerprints].filter(
      ([text, fingerprint]) => (sources.fingerprints.get(text) ?? fingerprint) !== fingerprint,
    );
    if (changed.length > 0) return;
    const isEqual = entry.text.equals(Buffer.from(executed.text as string));
    if (isEqual && uncovered === null) {
      stats.confirmed += 1;
      return;
    }
    const unread = [...fingerprints.keys()].filter((text) => !sources.fingerprints.has(text));
    const added = [...sources.fingerprints.keys()].filter((text) => !fingerprints.has(text));
    const problem = isEqual ? `reads ${uncovered}, which an earlier execution did not` : 'differs from the kept answer';
    const error = new Error(
      `${key}: the executed answer ${problem}, although all that was read is unchanged.\nkept: ${entry.text}\nexecuted: ${executed.text}\nnot read again: ${unread.join('; ')}\nread in addition: ${added.join('; ')}\nuncovered: ${uncovered}`,
    );
    // Not thrown here, since the request would be answered with an error that a test may expect.
    queueMicrotask(() => {
      throw error;
    });
  }

  return { answer, stats, bytes: () => cache.calculatedSize };
}

function bytesOfKept({ text, sources, viewer }: Kept): number {
  return text.length + sources.bytes + PERMISSION_BYTES * (viewer.permissions.size + viewer.roles.length);
}

function isFit({ text }: Answer, { fingerprints }: Sources, { uncovered }: ReadLog): boolean {
  const { size } = fingerprints;
  return uncovered === null && size > 0 && size <= MAX_READS && text.length <= MAX_ANSWER;
}

function isApplicable({ viewer, sources }: Kept, current: Viewer, now: Date): boolean {
  return now.getTime() >= sources.validFrom && now.getTime() < sources.validUntil && isSameViewer(viewer, current);
}

function isSameViewer(one: Viewer, other: Viewer): boolean {
  return (
    one.networkId === other.networkId &&
    one.sessionId === other.sessionId &&
    one.sessionInternalId === other.sessionInternalId &&
    one.userType === other.userType &&
    one.userId === other.userId &&
    one.userInternalId === other.userInternalId &&
    one.hasBlocks === other.hasBlocks &&
    one.expiresAt.getTime() === other.expiresAt.getTime() &&
    one.roles.length === other.roles.length &&
    one.roles.every((role, index) => role === other.roles[index]) &&
    one.permissions.size === other.permissions.size &&
    [...one.permissions].every((permission) => other.permissions.has(permission))
  );
}

interface Found extends KnownReads {
  isUnchanged: boolean;
}

/**
 * Reads all sources of an answer again, within a budget of their own and with the slot of the request. If one has changed,
 * the execution that follows does not read the others again.
 */
async function readSources({ sources, isExpensive }: Kept, context: Context): Promise<Found> {
  const { store, viewer } = context;
  const budget = createReadBudget();
  budget.slot = context.reads.slot;
  cacheListsAs(budget, context.load);
  if (isExpensive) await budget.slot?.acquire();
  const { networkId } = viewer!;
  const lists = new Map<string, Document[]>();
  const values = new Map<string, unknown>();
  let isUnchanged = true;

  async function load(name: string, wanted: readonly SourceLoad[]) {
    const keys = wanted.map(({ key }) => key);
    const loaded = await loadValues(store.batchers, { name, networkId, keys, budget, loaders: context.load });
    for (const [index, { key, fingerprint }] of wanted.entries()) {
      const value = loaded[index];
      values.set(textOfLoad(name, key), value);
      if (fingerprintOf(value) !== fingerprint) isUnchanged = false;
    }
  }

  async function list({ text, query, fingerprint }: Sources['lists'][number]) {
    const records = await readKeysetTogether({ ...query, budget });
    lists.set(text, records);
    if (fingerprintOf(records) !== fingerprint) isUnchanged = false;
  }

  async function cached({ name, networkId: id, fingerprint }: Sources['cached'][number]) {
    if (fingerprintOfCached(await readCached(context, name, id)) !== fingerprint) isUnchanged = false;
  }

  await Promise.all([
    ...Array.from(sources.loads, ([name, wanted]) => load(name, wanted)),
    ...sources.lists.map(list),
    ...sources.cached.map(cached),
  ]);
  return { isUnchanged, values, lists };
}

function readCached({ store }: Context, name: CachedName, networkId: string): MaybePromise<unknown> {
  if (name === 'roles') return store.roleCache.rolesOf(networkId);
  return name === 'settings' ? store.networkCache.settingsOf(networkId) : store.networkCache.contentRulesOf(networkId);
}
