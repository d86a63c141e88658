import type { Document } from 'mongodb';
import { estimateBytes } from '../lib/estimate-bytes.ts';
import { type MaybePromise, whenLoaded } from '../lib/maybe-promise.ts';
import { canonicalText, fingerprintOf } from '../store/fingerprint.ts';
import { textOfList } from '../store/keyset-batcher.ts';
import type { KeysetQuery } from '../store/keyset-query.ts';
import type { ReadObserver } from '../store/read-observer.ts';

/** A value that the process caches for seconds and that executions read. */
export type CachedName = 'roles' | 'settings' | 'contentRules';

/** A list without the budget of the request that read it. */
export type ListQuery = Omit<KeysetQuery<Document>, 'budget'>;

/** One key that was loaded with a loader. */
export interface SourceLoad {
  key: unknown;
  /** Identifies the loader and the key. */
  text: string;
  /** Of the value. */
  fingerprint: string;
}

/** A list that was read, and the text that identifies its query. */
export interface SourceList extends Confirmed {
  text: string;
  query: ListQuery;
  fingerprint: string;
}

export interface Confirmed {
  /** The change at which the value was last found equal, as of `PeekedValues.lastChange`; null: never. */
  confirmedAt: number | null;
}

/** Everything that an execution read, with a fingerprint of each value. */
export interface Sources<Load extends SourceLoad = SourceLoad> {
  /** By name of the loader. */
  loads: ReadonlyMap<string, readonly Load[]>;
  lists: readonly SourceList[];
  cached: ReadonlyArray<{ name: CachedName; networkId: string; fingerprint: string }>;
  /** Number of all these. */
  reads: number;
  /** The result depends on the time only outside of this interval, in milliseconds since 1970. */
  validFrom: number;
  validUntil: number;
  /** Estimated heap size, without `loads`. */
  bytes: number;
}

/** What a request has read before it is executed, by a text that identifies the read. */
export interface KnownReads {
  values: ReadonlyMap<string, unknown>;
  lists: ReadonlyMap<string, readonly Document[]>;
}

const NOTHING_KNOWN: KnownReads = { values: new Map(), lists: new Map() };

/** Records what one execution reads. */
export class ReadLog implements ReadObserver {
  /** What the execution read that the log does not cover; null if its result can be reproduced from the log. */
  uncovered: string | null = null;
  readonly #loads = new Map<string, SourceLoad[]>();
  readonly #lists: SourceList[] = [];
  readonly #cached: Array<{ name: CachedName; networkId: string; fingerprint: string }> = [];
  readonly #fingerprints = new Map<string, string>();
  readonly #known: KnownReads;
  #validFrom = Number.NEGATIVE_INFINITY;
  #validUntil = Number.POSITIVE_INFINITY;
  #bytes = 0;

  constructor(known: KnownReads = NOTHING_KNOWN) {
    this.#known = known;
  }

  reportUncovered(use: string): void {
    this.uncovered ??= use;
  }

  reportComparison(time: Date, hasPassed: boolean): void {
    if (hasPassed) this.#validFrom = Math.max(this.#validFrom, time.getTime());
    else this.#validUntil = Math.min(this.#validUntil, time.getTime());
  }

  async load<Key, Value>(
    name: string,
    keys: readonly Key[],
    load: (keys: readonly Key[]) => Promise<Value[]>,
  ): Promise<Value[]> {
    const texts = keys.map((key) => textOfLoad(name, key));
    const values = await this.#reportFailure(this.#loadUnknown(keys, texts, load));
    this.#record(() => {
      for (const [index, key] of keys.entries()) this.#recordLoad(name, { key, text: texts[index]! }, values[index]);
    });
    return values;
  }

  loaded(name: string, key: unknown, value: unknown): void {
    this.#record(() => this.#recordLoad(name, { key, text: textOfLoad(name, key) }, value));
  }

  #recordLoad(name: string, { key, text }: { key: unknown; text: string }, value: unknown): void {
    const fingerprint = fingerprintOf(value);
    if (!this.#isNew(text, fingerprint)) return;
    const loads = this.#loads.get(name) ?? [];
    this.#loads.set(name, loads);
    loads.push({ key, text, fingerprint });
  }

  async list(
    given: KeysetQuery<Document>,
    read: (query: KeysetQuery<Document>) => Promise<Document[]>,
  ): Promise<Document[]> {
    const text = this.#textOf(given);
    const known = text === null ? undefined : this.#known.lists.get(text);
    const records = known ? [...known] : await this.#reportFailure(read(given));
    if (text === null) return records;
    this.#record(() => {
      const fingerprint = fingerprintOf(records);
      if (!this.#isNew(text, fingerprint)) return;
      const { budget: _, ...query } = given;
      this.#lists.push({ text, query, fingerprint, confirmedAt: null });
      this.#bytes += estimateBytes(fingerprint) + estimateBytes(text) + estimateBytes(query.filter);
    });
    return records;
  }

  cached<Value>(name: CachedName, networkId: string, reading: MaybePromise<Value>): MaybePromise<Value> {
    return whenLoaded(reading instanceof Promise ? this.#reportFailure(reading) : reading, (value) => {
      this.#record(() => {
        const fingerprint = fingerprintOfCached(value);
        if (!this.#isNew(textOfCached(name, networkId), fingerprint)) return;
        this.#cached.push({ name, networkId, fingerprint });
        this.#bytes += estimateBytes(fingerprint);
      });
      return value;
    });
  }

  /** What was read so far. */
  sources(): Sources {
    return {
      loads: this.#loads,
      lists: [...this.#lists],
      cached: [...this.#cached],
      reads: this.#fingerprints.size,
      validFrom: this.#validFrom,
      validUntil: this.#validUntil,
      bytes: this.#bytes,
    };
  }

  async #loadUnknown<Key, Value>(
    keys: readonly Key[],
    texts: readonly string[],
    load: (keys: readonly Key[]) => Promise<Value[]>,
  ): Promise<Value[]> {
    const known = this.#known.values;
    if (known.size === 0) return load(keys);
    const unknown = await load(keys.filter((_, index) => !known.has(texts[index]!)));
    let next = 0;
    return texts.map((text) => (known.has(text) ? (known.get(text) as Value) : unknown[next++]!));
  }

  #textOf(query: KeysetQuery<Document>): string | null {
    const text = textOfList(query);
    if (text === null) this.reportUncovered('a list with a filter of other values');
    return text;
  }

  /** An execution may continue without a value that could not be read; the next one may be able to read it. */
  #reportFailure<Value>(reading: Promise<Value>): Promise<Value> {
    return reading.catch((error: unknown) => {
      this.reportUncovered('a read that failed');
      throw error;
    });
  }

  #record(work: () => void): void {
    if (this.uncovered !== null) return;
    try {
      work();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      this.reportUncovered('a value without a fingerprint');
    }
  }

  /** The same read may be made twice; if its value changed in between, no later state can reproduce the result. */
  #isNew(text: string, fingerprint: string): boolean {
    const known = this.#fingerprints.get(text);
    if (known !== undefined && known !== fingerprint) this.reportUncovered('a value that changed meanwhile');
    if (known !== undefined) return false;
    this.#fingerprints.set(text, fingerprint);
    return true;
  }
}

/** Fingerprints by a text that identifies the read. */
export function fingerprintsOf({ loads, lists, cached }: Sources): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const some of loads.values()) for (const { text, fingerprint } of some) found.set(text, fingerprint);
  for (const { text, fingerprint } of lists) found.set(text, fingerprint);
  for (const { name, networkId, fingerprint } of cached) found.set(textOfCached(name, networkId), fingerprint);
  return found;
}

function textOfCached(name: CachedName, networkId: string): string {
  return `${name} ${networkId}`;
}

function textOfLoad(name: string, key: unknown): string {
  return `${name} ${canonicalText(key)}`;
}

export function fingerprintOfCached(value: unknown): string {
  return value instanceof Map ? fingerprintOf([...value.values()]) : fingerprintOf(value);
}
