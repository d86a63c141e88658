import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { StoreScale } from '../settings.ts';
import { type ChecksumReport, measureChecksums } from './checksums.ts';
import { compare, type OperationResult } from './compare.ts';
import { type LagResult, measureLag } from './lag.ts';
import { lmdbAlone } from './lmdb-alone.ts';
import { NETWORK_ID } from './records.ts';
import { type Memory, memoryOf, type Server, startEcho, startStore } from './servers.ts';
import { COLLECTION, connectTo, DATABASE, fillStore, throughDriver } from './through-driver.ts';

export interface StoreReport {
  records: number;
  fewRecords: number;
  /** Size of the file with all records in MB. */
  fileMb: number;
  fillSeconds: number;
  operations: OperationResult[];
  lags: LagResult[];
  /** Store with all records, and store with few. */
  memory: Memory[];
  memoryOfFew: Memory[];
  openings: Opening[];
  checksums: ChecksumReport;
}

interface Opening {
  name: string;
  /** Milliseconds until it accepts connections. */
  openMs: number;
  /** Milliseconds from then until a driver has connected and read a record. */
  firstReadMs: number;
}

/**
 * The embedded store through the official driver, with many records and with few, compared with the cost of the driver (a
 * server that only echoes) and lmdb called directly with as many.
 */
export async function measureStore(scale: StoreScale, progress: (step: string) => void): Promise<StoreReport> {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-bench-'));
  const closing: Array<() => Promise<unknown>> = [];
  const folders = { many: join(folder, 'many'), few: join(folder, 'few') };
  try {
    for (const path of Object.values(folders)) await mkdir(path);
    const startedAt = performance.now();
    const many = await filled(folders.many, scale.records);
    const fillSeconds = (performance.now() - startedAt) / 1_000;
    progress(`${scale.records.toLocaleString('en')} records in the store, ${fillSeconds.toFixed(0)} s`);
    const few = await filled(folders.few, scale.fewRecords);

    const store = await startStore(folders.many);
    const smallStore = await startStore(folders.few);
    const echo = await startEcho();
    closing.push(smallStore.stop, echo.stop);
    closing.push(store.stop);
    const openings = [await openingOf('after it was closed', store)];
    const note = async (when: string): Promise<void> => {
      many.push(await memoryOf(when, store));
      few.push(await memoryOf(when, smallStore));
    };
    await note('opened again');

    const subjects = {
      store: throughDriver(store, scale.records),
      smallStore: throughDriver(smallStore, scale.fewRecords),
      echo: throughDriver(echo, scale.records),
      lmdb: lmdbAlone(join(folder, 'many.mdb'), scale.records),
      smallLmdb: lmdbAlone(join(folder, 'few.mdb'), scale.fewRecords),
    };
    for (const subject of Object.values(subjects)) closing.push(() => subject.close());
    progress('until what was filled is on the disk');
    await promisify(execFile)('sync');
    progress('operations of the store');
    const operations = await compare(subjects, scale);
    await note('after all operations');
    for (const { uri } of [store, smallStore]) await readAll(uri);
    await note('after reading every record');
    progress('change streams');
    const lags = await measureLag({ store: store.uri, echo: echo.uri }, scale.lag);

    await store.kill();
    const reopened = await startStore(folders.many);
    closing.push(reopened.stop);
    openings.push(await openingOf('after kill -9', reopened));
    const fileMb = (await stat(join(folders.many, 'store.mdb'))).size / 1024 / 1024;
    const checksums = await measureChecksums(join(folder, 'checksums'));
    const { records, fewRecords } = scale;
    return {
      ...{ records, fewRecords, fileMb, fillSeconds, operations, lags },
      ...{ memory: many, memoryOfFew: few, openings, checksums },
    };
  } finally {
    for (const close of closing.reverse()) await close().catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Inserts the records and measures the memory before and after. Does not wait for the disk, because the store is opened again. */
async function filled(folder: string, count: number): Promise<Memory[]> {
  const server = await startStore(folder, 'memory');
  try {
    const empty = await memoryOf('empty', server);
    await fillStore(server.uri, count);
    return [empty, await memoryOf('after filling it', server)];
  } finally {
    await server.stop();
  }
}

async function openingOf(name: string, { uri, openMs }: Server): Promise<Opening> {
  const startedAt = performance.now();
  const client = connectTo(uri);
  try {
    if (!(await client.db(DATABASE).collection(COLLECTION).findOne())) throw new Error('The store is empty.');
    return { name, openMs, firstReadMs: performance.now() - startedAt };
  } finally {
    await client.close();
  }
}

/** Reads every record and returns little of it. */
async function readAll(uri: string): Promise<void> {
  const client = connectTo(uri);
  try {
    const all = client.db(DATABASE).collection(COLLECTION);
    const found = all.find({ networkId: NETWORK_ID }, { projection: { _id: 1 }, batchSize: 10_000 });
    for await (const record of found) if (!record._id) throw new Error('A record without an id.');
  } finally {
    await client.close();
  }
}
