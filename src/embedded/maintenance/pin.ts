import type { RangeOptions } from 'lmdb';
import { ALL_CHECKED, createReader, type Reader, type Storage, type Table } from '../storage/index.ts';

/** A snapshot of all tables of a store. */
export interface Pinned {
  reader: Reader;
  /** The options for every read of a table; pass a copy, because LMDB modifies it. */
  options: RangeOptions;
  /** Whether every record has a checksum. */
  hasChecksums: boolean;
  /** The tables by name, including those of later versions. */
  tables: ReadonlyMap<string, Table>;
  release(): void;
}

/** Pins a snapshot. Pages that are overwritten in the meantime occupy disk space until it is released. */
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
