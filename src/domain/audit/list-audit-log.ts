import { z } from 'zod';
import { canReadAuditLog } from '../../access/audit.ts';
import { type Context, viewerOf } from '../../context.ts';
import type { KeysetOrder } from '../../store/keyset-query.ts';
import { emptyPage, type Page, type PageRequest, readPage } from '../../store/page.ts';
import { AUDIT_SUBJECTS, type AuditEntryRecord } from '../../store/records/audit.ts';
import { id, validate } from '../input.ts';

const NEWEST_FIRST: KeysetOrder = { field: 'createdAt', direction: -1, type: 'date' };

export const auditQueryInput = z.object({
  actorId: id(50).nullish().describe('Only acts of this user.'),
  action: id(100).nullish().describe('Only acts of this name, such as `banUser`.'),
  subjectType: z.enum(AUDIT_SUBJECTS).nullish().describe('Only acts on records of this kind.'),
  subjectId: id().nullish().describe('Only acts on the record of this public id.'),
  affectedUserId: id(50).nullish().describe('Only acts that affect this user or their content.'),
  from: z.date().nullish().describe('Only acts at or after this time.'),
  to: z.date().nullish().describe('Only acts before this time.'),
});
export type AuditQuery = z.input<typeof auditQueryInput>;

/**
 * A page of the audit log, newest first. Empty for users who may not read it.
 * @throws {OperationError} INVALID_PARAMETERS
 */
export async function listAuditLog(
  context: Context,
  query: AuditQuery,
  request: PageRequest,
): Promise<Page<AuditEntryRecord>> {
  const viewer = viewerOf(context);
  const { from, to, ...fields } = validate(auditQueryInput, query);
  if (!canReadAuditLog(viewer)) return emptyPage(NEWEST_FIRST);
  const equal = Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));
  const period = { ...(from && { $gte: from }), ...(to && { $lt: to }) };
  return readPage({
    collection: context.store.collections.auditEntries,
    budget: context.reads,
    filter: {
      networkId: viewer.networkId,
      ...equal,
      // In `$and`, because the position of a page bounds the same field.
      ...(Object.keys(period).length > 0 && { $and: [{ createdAt: period }] }),
    },
    order: NEWEST_FIRST,
    request,
  });
}

/** An entry of the audit log; null if it does not exist or the viewer may not read the log. */
export async function getAuditEntry(
  context: Context,
  { auditId }: { auditId: string },
): Promise<AuditEntryRecord | null> {
  const viewer = viewerOf(context);
  if (!canReadAuditLog(viewer)) return null;
  return context.store.collections.auditEntries.findOne({ networkId: viewer.networkId, auditId });
}
