import { PERMISSIONS } from '../../src/access/permissions.ts';
import { defaultRoleRecords } from '../../src/sample/builders/user.ts';
import { insertMissingRoles } from '../../src/sample/insert.ts';
import { createWriter } from '../../src/sample/scale/writer.ts';
import { openStore } from '../../src/store/store.ts';
import { benchContext, NETWORK_ID } from '../data.ts';
import { crowdOf, type NamedRecord, OWNER } from './crowd.ts';
import { fixedRecords } from './fixed-records.ts';
import { mainRecords } from './main-records.ts';
import { otherRecords } from './other-records.ts';

/** Records per insert; a busy machine may take minutes for one. */
const BATCH = 1_000;
const FILL_TIMEOUT_MS = 600_000;

export interface Filled {
  /** All written records. */
  written: number;
  /** Those of each of the main kinds, and of each other one. */
  mains: number;
  others: number;
}

/** Writes `records` records of the main kinds, and those of the others. */
export async function fillGrowth(uri: string, records: number): Promise<Filled> {
  const store = await openStore({ uri, timeoutMs: FILL_TIMEOUT_MS });
  try {
    const crowd = crowdOf(records);
    const { mains, others } = crowd;
    const writer = createWriter({ collections: store.collections, batchSize: BATCH });
    let written = 0;
    const add = async (all: readonly NamedRecord[]) => {
      for (const [name, record] of all) await writer.add(name, [record as never]);
      written += all.length;
    };
    await add(fixedRecords(crowd, records));
    for (let index = 0; index < mains; index += 1) await add(mainRecords(crowd, index));
    for (let index = 0; index < others; index += 1) await add(otherRecords(crowd, index));
    await writer.flush();
    return { written, mains, others };
  } finally {
    await store.close();
  }
}

/** Makes {@link OWNER} an administrator, who may read every list. They have signed in before, because administrators need an auth token. */
export async function grantRoles(uri: string): Promise<void> {
  const store = await openStore({ uri });
  try {
    const { users, sessions } = store.collections;
    await insertMissingRoles(store.collections, defaultRoleRecords(benchContext()));
    const owner = { networkId: NETWORK_ID, userId: OWNER };
    const $set = { roles: ['global-admin'], permissions: [...PERMISSIONS] };
    await users.updateMany(owner, { $set });
    await sessions.updateMany(owner, { $set });
  } finally {
    await store.close();
  }
}
