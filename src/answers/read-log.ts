import type { Document } from 'mongodb';
import { type MaybePromise, whenLoaded } from '../lib/maybe-promise.ts';
import { canonicalText, fingerprintOf } from '../store/fingerprint.ts';
import { textOfList } from '../store/keyset-batcher.ts';
import type { KeysetQuery } from '../store/keyset-query.ts';
import type { ReadObserver } from '../store/read-observer.ts';

/** A value that the process caches for seconds and that executions read. */
export type CachedName = 'roles' | 'settings' | 'contentRules';

/** A list without the budget of the request that read it. */
export type ListQuery = Omit<KeysetQuery<Document>, 'budget'>;

/** One value that an execution read, and how to read it again. */
export type Source = LoadedKey | ReadList | CachedValue;

interface SourceBase {
  /** Identifies what was read. */
  text: string;
  /** Of the value. */
  fingerprint: string;
  /** The change at which the value was last found equal, as of `PeekedValues.lastChange`; null: never. */
  confirmedAt: number | null;
}

/** One key that was loaded with a loader. */
export interface LoadedKey extends SourceBase {
  kind: 'load';
  /** Of the loader. */
  name: string;
  key: unknown;
}

export interface ReadList extends SourceBase {
  kind: 'list';
  query: ListQuery;
}

export interface CachedValue extends SourceBase {
  kind: 'cached';
  name: CachedName;
  networkId: string;
}

/** Everything that an execution read, with a fingerprint of each value. */
export interface Sources {
  all: readonly Source[];
  /** The result depends on the time only outside of this interval, in milliseconds since 1970. */
  validFrom: number;
  validUntil: number;
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
  readonly #sources = new Map<string, Source>();
  readonly #known: KnownReads;
  #validFrom = Number.NEGATIVE_INFINITY;
  #validUntil = Number.POSITIVE_INFINITY;

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
    this.#add({ kind: 'load', name, key, text, fingerprint: fingerprintOf(value), confirmedAt: null });
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
      const { budget: _, ...query } = given;
      this.#add({ kind: 'list', query, text, fingerprint: fingerprintOf(records), confirmedAt: null });
    });
    return records;
  }

  cached<Value>(name: CachedName, networkId: string, reading: MaybePromise<Value>): MaybePromise<Value> {
    return whenLoaded(reading instanceof Promise ? this.#reportFailure(reading) : reading, (value) => {
      this.#record(() => {
        const text = `${name} ${networkId}`;
        const fingerprint = fingerprintOfCached(value);
        this.#add({ kind: 'cached', name, networkId, text, fingerprint, confirmedAt: null });
      });
      return value;
    });
  }

  /** What was read so far. */
  sources(): Sources {
    return { all: [...this.#sources.values()], validFrom: this.#validFrom, validUntil: this.#validUntil };
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
  #add(source: Source): void {
    const { text, fingerprint } = source;
    const known = this.#sources.get(text);
    if (!known) this.#sources.set(text, source);
    else if (known.fingerprint !== fingerprint) this.reportUncovered('a value that changed meanwhile');
  }
}

/** Fingerprints by a text that identifies the read. */
export function fingerprintsOf(sources: readonly Source[]): ReadonlyMap<string, string> {
  return new Map(sources.map(({ text, fingerprint }) => [text, fingerprint]));
}

function textOfLoad(name: string, key: unknown): string {
  return `${name} ${canonicalText(key)}`;
}

export function fingerprintOfCached(value: unknown): string {
  return value instanceof Map ? fingerprintOf([...value.values()]) : fingerprintOf(value);
}
