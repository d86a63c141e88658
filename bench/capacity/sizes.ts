import { join } from 'node:path';
import { open } from 'lmdb';
import { fillNetwork } from '../../src/sample/scale.ts';
import { NETWORK_ID, writeBenchRecords, writeManyCommunities } from '../data.ts';
import type { Inputs } from './model.ts';
import type { Bench } from './setup.ts';

/** Fills the store. @returns its size for each user of the generated network, or of the measured records without one */
export async function fillStore({ store: { collections, db }, scale }: Bench, folder: string): Promise<Inputs['data']> {
  if (scale.fill > 0) await fillNetwork({ collections, networkId: NETWORK_ID, scale: scale.fill });
  else await writeBenchRecords(collections);
  const users = await collections.users.countDocuments({ networkId: NETWORK_ID });
  let recordBytes = 0;
  for (const name of Object.keys(collections)) {
    for await (const record of db.collection(name).find({}, { raw: true })) recordBytes += record.length;
  }
  const [recordPages, indexPages] = await pagesOf(folder, ['records', 'entries']);
  if (scale.fill > 0) await writeBenchRecords(collections);
  await writeManyCommunities(collections, scale.set);
  const perUser = (bytes: number) => Math.round(bytes / users);
  return {
    recordBytes: perUser(recordBytes),
    recordPageBytes: perUser(recordPages!),
    indexBytes: perUser(indexPages!),
  };
}

/** What LMDB reports about a table; its types omit it. */
interface TableStats {
  pageSize: number;
  treeBranchPageCount: number;
  treeLeafPageCount: number;
  overflowPages: number;
}

/** Bytes that tables of the embedded store occupy in its file, which also contains the change log and free pages. */
async function pagesOf(folder: string, tables: readonly string[]): Promise<number[]> {
  const binary = { keyEncoding: 'binary', encoding: 'binary' } as const;
  const root = open({ path: join(folder, 'store.mdb'), noSubdir: true, readOnly: true, ...binary });
  try {
    return tables.map((name) => {
      const stats = root.openDB({ name, ...binary }).getStats() as TableStats;
      return (stats.treeBranchPageCount + stats.treeLeafPageCount + stats.overflowPages) * stats.pageSize;
    });
  } finally {
    await root.close();
  }
}
