import type { Filter } from 'mongodb';
import { MAX_BATCH } from '../domain/batch.ts';
import type { AuditEntryRecord } from '../store/records/audit.ts';
import type { ErasureRun, ErasureStep } from './erasure-run.ts';

/** The acts of an erasure, whose reason the log keeps. */
const ERASURE = 'eraseUser';

/** Removes addresses of the person, and reasons that the person wrote or that were written about them. */
export const eraseAuditStep: ErasureStep = {
  name: 'audit',
  async run(run) {
    const { networkId, userId } = run.erasure;
    await clear(run, { networkId, actorId: userId }, { address: null, reason: null });
    await clear(run, { networkId, affectedUserId: userId, action: { $ne: ERASURE } }, { reason: null });
  },
};

async function clear(
  run: ErasureRun,
  filter: Filter<AuditEntryRecord>,
  cleared: Partial<AuditEntryRecord>,
): Promise<void> {
  const { auditEntries } = run.newContext().store.collections;
  const filled = { ...filter, $or: Object.keys(cleared).map((field) => ({ [field]: { $ne: null } })) };
  for (;;) {
    await run.proceed();
    const found = await auditEntries.find(filled).project({ auditId: 1 }).limit(MAX_BATCH).toArray();
    if (found.length === 0) return;
    const auditId = { $in: found.map((entry) => entry.auditId as string) };
    await auditEntries.updateMany({ networkId: run.erasure.networkId, auditId }, { $set: cleared });
  }
}
