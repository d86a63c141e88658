import { LRUCache } from 'lru-cache';
import type { Context, Viewer } from '../context.ts';
import { compositeKey } from '../lib/composite-key.ts';
import { cacheEvictions, cacheHits, cacheLookups } from '../observe/metrics/definitions.ts';
import { compareInMemory, readSources } from './check-sources.ts';
import { createFrequencies } from './frequency.ts';
import { createSourcePool, type KeptSources, PLACE_BYTES, sourcesOf } from './kept-sources.ts';
import { createKeptTexts, type KeptText } from './kept-texts.ts';
import { observedContext } from './observed-context.ts';
import { fingerprintsOf, type KnownReads, ReadLog, type Sources } from './read-log.ts';
import { createSharedValues, type Shared } from './shared-values.ts';

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
  /** Those whose sources were all in memory, so that none was read. */
  returnedFromMemory: number;
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
const MAX_READS = 1_500;
/** Equal requests after which an answer is kept: the last of them is executed with its reads recorded. */
const MIN_REQUESTS = 2;
/** The part of the bound that uncompressed copies of texts may take. */
const PLAIN_PART = 1 / 8;
/** From this part of the bound on, an answer replaces only one whose request is less frequent. */
const FULL_PART = 0.9;
/**
 * Longest time that an answer is kept without being looked up, and that others refer to its text, so that erased content does
 * not stay in memory.
 */
const UNUSED_MS = 600_000;
/** How long operations are executed as usual after keeping their answers turned out not to pay. */
const UNFIT_MS = 60_000;
/** How many more changes than uses an answer may have. */
const MAX_CHANGES = 3;
/** Heap of an entry, without its key, viewer, sources and texts. */
const ENTRY_BYTES = 640;
/** Heap of a viewer with its place in a map, without its permissions. */
const VIEWER_BYTES = 640;
/** Heap of one permission of a viewer. */
const PERMISSION_BYTES = 64;

const lookups = cacheLookups.with('answers');
const hits = cacheHits.with('answers');
const evictions = cacheEvictions.with('answers');

/** What is known about the requests with one key; `unfit`: answers cannot be reproduced, or change too often. */
type Entry = { state: 'unfit' } | Kept;

interface Kept {
  state: 'kept';
  text: KeptText;
  /** Whether its execution held a slot for expensive requests until its end. */
  isExpensive: boolean;
  viewer: Shared<Viewer>;
  sources: KeptSources;
  /** How much more often the answer has changed than it was used. */
  changes: number;
}

/** An execution whose reads are recorded. */
interface Observed {
  key: string;
  /** The answer that it must equal, where answers are compared. */
  kept: Kept | null;
  changes: number;
  log: ReadLog;
}

/**
 * Keeps answers to queries together with the fingerprints of everything that their execution read. When a request repeats,
 * all of it is compared with the record cache, or read again, concurrently and through the usual loaders; if nothing has
 * changed, execution could only produce the same bytes, and the kept ones are returned. So a kept answer is as current as an executed one, and no write
 * needs to invalidate it: docs/decisions/0032-answers-checked-against-their-sources.md.
 */
export function createAnswerCache({ maxBytes, use = 'returned' }: AnswerCacheOptions): AnswerCache {
  const stats: AnswerStats = { returned: 0, returnedFromMemory: 0, outdated: 0, kept: 0, confirmed: 0 };
  const maxKept = maxBytes * (1 - PLAIN_PART);
  const sourcePool = createSourcePool();
  const viewers = createSharedValues<Viewer>({
    keyOf: ({ sessionId }) => sessionId,
    isEqual: isSameViewer,
    bytesOf: bytesOfViewer,
  });
  const texts = createKeptTexts({ maxPlainBytes: maxBytes - maxKept, maxAgeMs: UNUSED_MS });
  const cache = new LRUCache<string, Entry>({
    maxSize: Math.max(1, maxKept),
    sizeCalculation: (entry, key) =>
      ENTRY_BYTES + Buffer.byteLength(key) + (entry.state === 'kept' ? bytesOfKept(entry) : 0),
    ttl: UNUSED_MS,
    updateAgeOnGet: true,
    dispose(entry, _key, reason) {
      if (reason === 'evict') evictions.add();
      if (entry.state === 'kept') release(entry);
    },
  });
  const keptBytes = () => cache.calculatedSize + sourcePool.bytes + viewers.bytes + texts.baseBytes;
  const frequencies = createFrequencies();
  let purgedAt = performance.now();

  function release({ viewer, sources, text }: Kept): void {
    sourcePool.release(viewer.networkId, sources);
    viewers.release(viewer.networkId, viewer);
    texts.release(text);
  }

  function set(key: string, entry: Entry): void {
    cache.set(key, entry, entry.state === 'unfit' ? { ttl: UNFIT_MS } : {});
    // An entry that is larger than the bound is not added.
    if (entry.state === 'kept' && cache.peek(key) !== entry) release(entry);
    while (keptBytes() > maxKept && cache.size > 0) cache.pop();
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
    const requests = frequencies.add(key);
    const entry = cache.get(key, { updateAgeOnGet: cache.peek(key)?.state !== 'unfit' });
    if (!entry) {
      if (requests < MIN_REQUESTS || !isMoreFrequent(requests)) return execute(context);
      return executeObserved(request, { key, kept: null, changes: 0, log: new ReadLog() });
    }
    if (entry.state === 'unfit') return execute(context);
    if (use === 'compared')
      return executeObserved(request, { key, kept: entry, changes: entry.changes, log: new ReadLog() });
    if (!isApplicable(entry, viewer, context.now())) return executeChanged(request, key, entry);
    // Executed once more, so that its text no longer refers to one that may contain erased content.
    if (!texts.isRecent(entry.text)) {
      cache.delete(key);
      return executeObserved(request, { key, kept: null, changes: entry.changes, log: new ReadLog() });
    }
    const inMemory = await compareInMemory(entry.sources, context).catch(() => 'unknown' as const);
    if (inMemory === 'equal') {
      stats.returnedFromMemory += 1;
      return take(entry);
    }
    if (inMemory === 'different') return executeChanged(request, key, entry);
    const found = await readSources(sourcesOf(entry.sources), entry.isExpensive, context).catch(() => null);
    if (!found) return execute(context);
    return found.isUnchanged ? take(entry) : executeChanged(request, key, entry, found);
  }

  function take(entry: Kept): KeptAnswer {
    stats.returned += 1;
    hits.add();
    entry.changes = Math.max(-MAX_CHANGES, entry.changes - 1);
    return { text: texts.read(entry.text), isKeepable: true, isKept: true };
  }

  /** Whether an answer may replace the one that was not used for the longest time. */
  function isMoreFrequent(requests: number): boolean {
    if (keptBytes() < FULL_PART * maxKept) return true;
    const { value: oldest } = cache.rkeys().next();
    return oldest === undefined || frequencies.of(oldest) < requests;
  }

  /** Executes a request whose kept answer is outdated. */
  function executeChanged<Executed extends Answer>(
    request: AnswerRequest<Executed>,
    key: string,
    entry: Kept,
    known?: KnownReads,
  ): Promise<Executed> {
    stats.outdated += 1;
    texts.retire(entry.text);
    sourcePool.retire(entry.sources);
    if (cache.peek(key) === entry) cache.delete(key);
    if (entry.changes >= MAX_CHANGES) set(key, { state: 'unfit' });
    return executeObserved(request, { key, kept: null, changes: entry.changes + 1, log: new ReadLog(known) });
  }

  /** Executes with recorded reads and keeps the answer, if that can pay. */
  async function executeObserved<Executed extends Answer>(
    { context, execute, key: query }: AnswerRequest<Executed>,
    { key, kept, changes, log }: Observed,
  ): Promise<Executed> {
    const executed = await execute(observedContext(context, log));
    const isExpensive = context.reads.slot?.isHeld ?? false;
    const sources = log.sources();
    if (kept && executed.isKeepable) compare(key, kept, { executed, sources, context, uncovered: log.uncovered });
    if (!executed.isKeepable) return executed;
    if (!isFit(executed, sources, log)) {
      set(key, { state: 'unfit' });
      return executed;
    }
    if (cache.peek(key)?.state === 'unfit') return executed;
    const { networkId } = context.viewer!;
    const viewer = viewers.use(networkId, context.viewer!);
    const queryOfNetwork = compositeKey(networkId, query);
    const text = texts.keep(queryOfNetwork, executed.text);
    const keptSources = sourcePool.keep(networkId, queryOfNetwork, sources);
    set(key, { state: 'kept', text, isExpensive, viewer, sources: keptSources, changes });
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
    const kept = fingerprintsOf(sourcesOf(entry.sources));
    const current = fingerprintsOf(sources.all);
    const changed = [...kept].filter(([text, fingerprint]) => (current.get(text) ?? fingerprint) !== fingerprint);
    if (changed.length > 0) return;
    const text = texts.read(entry.text);
    const isEqual = text.equals(Buffer.from(executed.text as string));
    if (isEqual && uncovered === null) {
      stats.confirmed += 1;
      return;
    }
    const unread = [...kept.keys()].filter((text) => !current.has(text));
    const added = [...current.keys()].filter((text) => !kept.has(text));
    const problem = isEqual ? `reads ${uncovered}, which an earlier execution did not` : 'differs from the kept answer';
    const error = new Error(
      `${key}: the executed answer ${problem}, although all that was read is unchanged.\nkept: ${text}\nexecuted: ${executed.text}\nnot read again: ${unread.join('; ')}\nread in addition: ${added.join('; ')}\nuncovered: ${uncovered}`,
    );
    // Not thrown here, since the request would be answered with an error that a test may expect.
    queueMicrotask(() => {
      throw error;
    });
  }

  return { answer, stats, bytes: () => keptBytes() + texts.plainBytes };
}

function bytesOfKept({ text, sources }: Kept): number {
  return text.bytes + PLACE_BYTES * sources.own.length;
}

function bytesOfViewer({ permissions, roles }: Viewer): number {
  return VIEWER_BYTES + PERMISSION_BYTES * (permissions.size + roles.length);
}

function isFit({ text }: Answer, { all }: Sources, { uncovered }: ReadLog): boolean {
  return uncovered === null && all.length > 0 && all.length <= MAX_READS && text.length <= MAX_ANSWER;
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
