import type { RangeOptions } from 'lmdb';
import { ALL_CHECKED, createReader, type Reader, type Storage, type Table } from '../storage/index.ts';

/** The store as it was at one moment, tables and all. */
export interface Pinned {
  reader: Reader;
  /** What every read of a table must be given, as a copy: lmdb keeps notes of its own in it. */
  options: RangeOptions;
  /** Whether every record has a checksum. */
  hasChecksums: boolean;
  /** The tables by name, those of a later version too. */
  tables: ReadonlyMap<string, Table>;
  release(): void;
}

/** Keeps reading one moment; what is overwritten meanwhile takes room until it is released. */
export function pin({ root }: Storage): Pinned {
  const names = [...root.getKeys()].map((key) => Buffer.from(key).toString().replace(/\0$/, ''));
  const open = (name: string): Table =>
    root.openDB<Buffer, Buffer>(name, { keyEncoding: 'binary', encoding: 'binary' });
  const tables = new Map(names.map((name) => [name, open(name)]));
  root.resetReadTxn();
  const transaction = root.useReadTransaction();
  const options: RangeOptions = { transaction };
  const hasChecksums = tables.get('catalog')!.get(ALL_CHECKED, { transaction }) !== undefined;
  const [records, entries] = [tables.get('records')!, tables.get('entries')!];
  return {
    options,
    tables,
    hasChecksums,
    reader: createReader({ records, entries, options, hasChecksums: () => hasChecksums }),
    release: () => transaction.done(),
  };
}
