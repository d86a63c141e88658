import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Store } from '../store/store.ts';

/** Disk space of the database in bytes; null if it is unknown. */
export async function readStoreSize(
  config: Pick<Config, 'DATA_DIR' | 'MONGODB_URI'>,
  store: Store,
): Promise<number | null> {
  if (config.MONGODB_URI === undefined) return sizeOfFolder(embeddedFolder(config));
  const { totalSize, storageSize, indexSize } = await store.db.stats();
  return Number(totalSize ?? storageSize + indexSize);
}

/** The folder of the embedded store. */
export function embeddedFolder({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string {
  return join(DATA_DIR, 'store');
}

async function sizeOfFolder(folder: string): Promise<number | null> {
  const names = await readdir(folder).catch(() => null);
  if (!names) return null;
  // A file may be removed meanwhile. Blocks are counted, since files of the store have holes.
  const sizes = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => null)));
  return sizes.reduce((total, found) => total + (found?.isFile() ? found.blocks * 512 : 0), 0);
}
