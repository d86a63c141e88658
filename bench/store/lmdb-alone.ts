import { BSON } from 'bson';
import { type Database, open } from 'lmdb';
import { communitiesIn, recordOf, scattered } from './records.ts';
import type { Subject } from './subject.ts';

const BATCH = 1_000;
/** As in the store, see there. */
const PIECE = 50;

/**
 * The library under the embedded store, called directly with records of the same bytes: no protocol, no
 * indexes except that of the range, no conflicts, no change log.
 */
export function lmdbAlone(path: string, count: number): Subject {
  const root = open({ path, noSubdir: true, maxDbs: 4 });
  const records: Database<Buffer, number> = root.openDB('records', { encoding: 'binary' });
  const entries: Database<Buffer, [number, number]> = root.openDB('entries', { encoding: 'binary' });
  const communities = communitiesIn(count);
  fill(root, records, entries, count);
  const bytes = encoded(0, count);
  let step = 0;
  let inserted = count;
  let tidied = count;
  const some = (): number => scattered(step++, count);
  const put = (key: number): void => void records.put(key, bytes);
  return {
    pid: undefined,
    work: {
      'point read': async () => records.get(some()),
      'range of 50': async () => {
        const community = some() % communities;
        const keys = entries.getKeys({ start: [community, 0], end: [community + 1, 0], limit: 50 });
        return [...keys.map(([, key]) => records.get(key))];
      },
      insert: async () => {
        put(inserted++);
        await records.flushed;
      },
      'transaction of 4 writes': async () => {
        void records.batch(() => {
          put(inserted++);
          put(inserted++);
          put(some());
          put(some());
        });
        await records.flushed;
      },
    },
    async tidy() {
      for (; tidied < inserted; tidied += PIECE) {
        root.transactionSync(() => {
          for (let key = tidied; key < Math.min(inserted, tidied + PIECE); key++) records.removeSync(key);
        });
      }
      tidied = inserted;
    },
    close: () => root.close(),
  };
}

function fill(
  root: ReturnType<typeof open>,
  records: Database<Buffer, number>,
  entries: Database<Buffer, [number, number]>,
  count: number,
): void {
  const communities = communitiesIn(count);
  const nothing = Buffer.alloc(0);
  for (let start = 0; start < count; start += BATCH) {
    root.transactionSync(() => {
      for (let index = start; index < Math.min(count, start + BATCH); index++) {
        records.putSync(index, encoded(index, count));
        entries.putSync([index % communities, index], nothing);
      }
    });
  }
}

const encoded = (index: number, count: number): Buffer => Buffer.from(BSON.serialize(recordOf(index, count)));
