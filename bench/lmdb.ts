import { join } from 'node:path';
import { serialize } from 'bson';
import { open } from 'lmdb';

/** The same library the embedded store rests on, called directly: no protocol, no index, no transaction of its own. */
export function openLmdb(folder: string) {
  const root = open<Buffer, number>({ path: join(folder, 'baseline.mdb'), noSubdir: true, encoding: 'binary' });
  const record = serialize({ text: 'x'.repeat(1_200) });
  const bytes = Buffer.from(record);
  return {
    get: (key: number) => root.get(key),
    /** Resolves when the record is on disk. */
    async put(key: number): Promise<void> {
      await root.put(key, bytes);
      await root.flushed;
    },
    close: () => root.close(),
  };
}
