import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BSON } from 'bson';
import { withChecksum } from '../../src/embedded/storage/checksum.ts';
import { checkFile } from '../../src/embedded/storage/file/check-file.ts';
import { openStorage } from '../../src/embedded/storage/storage.ts';
import { recordOf } from './records.ts';

/** Microseconds of processor time per record of about 1 KB, below the protocol. */
export interface ChecksumCost {
  name: string;
  with: number;
  without: number;
}

export interface ChecksumReport {
  costs: ChecksumCost[];
  /** Milliseconds of processor time of the check at start, per GB. */
  checkMsPerGb: number;
}

const RECORDS = 20_000;
const ROUNDS = 5;

/** Writes and reads the same records with and without checksums, in this process. */
export async function measureChecksums(folder: string): Promise<ChecksumReport> {
  await mkdir(folder);
  const storage = openStorage({ folder, isMemory: true });
  const records = storage.root.openDB<Buffer, Buffer>('records', { keyEncoding: 'binary', encoding: 'binary' });
  const rows = Array.from({ length: RECORDS }, (_, n) => Buffer.from(BSON.serialize(recordOf(n, RECORDS))));
  const write = (collection: number, encode: (key: Buffer, bytes: Buffer) => Buffer) =>
    storage.commit(() => {
      for (const [n, bytes] of rows.entries()) {
        const key = keyOf(collection, n);
        records.putSync(key, encode(key, bytes));
      }
    });
  const readAll = (read: (n: number) => Buffer | undefined) => {
    for (let n = 0; n < RECORDS; n++) if (!read(n)) throw new Error('A record is missing.');
  };
  const costs = [
    compare('write', { with: () => write(1, withChecksum), without: () => write(2, (_, bytes) => bytes) }),
    compare('read', {
      with: () => readAll((n) => storage.record(1, n)),
      without: () => readAll((n) => records.get(keyOf(2, n))),
    }),
  ];
  await storage.close();
  const file = join(folder, 'store.mdb');
  const checkMs = processorMs(() => void checkFile(file));
  return { costs, checkMsPerGb: (checkMs * 2 ** 30) / (await stat(file)).size };
}

function keyOf(collection: number, record: number): Buffer {
  const key = Buffer.alloc(12);
  key.writeUInt32BE(collection, 0);
  key.writeUIntBE(record, 6, 6);
  return key;
}

/** Alternately, so that disturbances affect both; the fastest round of each. */
function compare(name: string, work: { with(): void; without(): void }): ChecksumCost {
  const best = { with: Number.POSITIVE_INFINITY, without: Number.POSITIVE_INFINITY };
  for (let round = 0; round < ROUNDS; round++) {
    for (const kind of ['with', 'without'] as const) {
      best[kind] = Math.min(best[kind], (processorMs(work[kind]) * 1_000) / RECORDS);
    }
  }
  return { name, ...best };
}

function processorMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
