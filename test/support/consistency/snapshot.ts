import { isDeepStrictEqual } from 'node:util';
import type { Db, Document } from 'mongodb';
import { type CollectionName, INDEXES, type Records } from '../../../src/store/collections.ts';

/** The counts of rate limits belong to no network, and have no index by network. */
export type NetworkCollection = Exclude<CollectionName, 'rateCounters'>;

/** All records of one network. */
export type Snapshot = { [Name in NetworkCollection]: Records[Name][] };

/** Collects inconsistencies. */
export interface Findings {
  /** Adds a problem unless both values are deeply equal. */
  expect(what: string, actual: unknown, expected: unknown): void;
  /** Adds a problem unless `holds`. */
  require(what: string, holds: boolean): void;
}

export function findingsInto(problems: string[]): Findings {
  return {
    expect(what, actual, expected) {
      if (isDeepStrictEqual(actual, expected)) return;
      problems.push(`${what} is ${show(actual)}, should be ${show(expected)}`);
    },
    require(what, holds) {
      if (!holds) problems.push(what);
    },
  };
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}

/** Reads all records through the network index of each collection, and groups them by network. */
export async function readSnapshots(db: Db, networkId?: string): Promise<Map<string, Snapshot>> {
  const names = (Object.keys(INDEXES) as CollectionName[]).filter((name) => name !== 'rateCounters');
  const read = await Promise.all(
    names.map(async (name) => {
      const records = await db
        .collection(name)
        .find({ networkId: networkId ?? { $gte: '' } })
        .toArray();
      return [name, groupBy(records, (record) => String(record.networkId))] as const;
    }),
  );
  const networkIds = new Set(read.flatMap(([, byNetwork]) => [...byNetwork.keys()]));
  const snapshotOf = (networkId: string): Snapshot => {
    const collections: [string, Document[]][] = read.map(([name, byNetwork]) => [name, byNetwork.get(networkId) ?? []]);
    return Object.fromEntries(collections) as unknown as Snapshot;
  };
  return new Map([...networkIds].map((networkId) => [networkId, snapshotOf(networkId)]));
}

export function groupBy<Value>(values: readonly Value[], keyOf: (value: Value) => string): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group) group.push(value);
    else groups.set(keyOf(value), [value]);
  }
  return groups;
}

export function keyBy<Value>(values: readonly Value[], keyOf: (value: Value) => string): Map<string, Value> {
  return new Map(values.map((value) => [keyOf(value), value]));
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

export function newestDate(values: readonly Date[]): Date | null {
  return values.length === 0 ? null : new Date(Math.max(...values.map((value) => value.getTime())));
}
