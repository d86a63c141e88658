import { type ClientSession, ObjectId } from 'mongodb';
import type { Context } from '../../context.ts';
import type { AuditActorKind, AuditEntryRecord } from '../../store/records/audit.ts';
import { onCommit } from '../../store/transaction.ts';

/** A privileged act, before it is stored. */
export interface Act
  extends Pick<AuditEntryRecord, 'subjectType' | 'subjectId'>,
    Partial<Pick<AuditEntryRecord, 'affectedUserId' | 'communityId' | 'channelId' | 'details'>> {
  reason?: string | null | undefined;
  /** @default the name of the mutation */
  action?: string;
}

const DAY_MS = 86_400_000;

/**
 * Records acts by right of a permission, a role or a key, rather than of ownership, in the transaction of the act, so
 * that either both are committed or neither is. Logs a line for each after the commit.
 *
 * The access matrix finds forgotten calls: `test/matrix` looks for the entry of each mutation that a moderator or an
 * administrator may call and other users may not.
 *
 * @param options.networkId of an act without a viewer. @default that of the viewer
 * @param options.actorKind who acts. @default the viewer; without one, the operator at the command line, else the holder of the server key
 */
export async function recordAudit(
  context: Context,
  session: ClientSession,
  acts: readonly Act[],
  { networkId = context.viewer?.networkId, actorKind }: { networkId?: string; actorKind?: AuditActorKind } = {},
): Promise<void> {
  if (acts.length === 0) return;
  if (networkId === undefined) throw new Error('An act without a viewer must name its network.');
  const { config, origin, viewer, resolution } = context;
  const now = context.now();
  const kind = actorKind ?? (viewer ? 'user' : origin.transport === 'command' ? 'operator' : 'serverKey');
  const entries = acts.map((act): AuditEntryRecord => {
    const action = act.action ?? context.operation;
    if (!action) throw new Error('An act outside of a mutation must have a name.');
    const _id = new ObjectId();
    return {
      _id,
      networkId,
      auditId: _id.toHexString(),
      actorKind: kind,
      actorId: kind === 'user' ? (viewer?.userId ?? null) : null,
      action,
      subjectType: act.subjectType,
      subjectId: act.subjectId,
      affectedUserId: act.affectedUserId ?? null,
      communityId: act.communityId ?? null,
      channelId: act.channelId ?? null,
      reason: act.reason ?? resolution?.reason ?? null,
      details: { ...act.details, ...(resolution && { resolution: resolution.name }) },
      transport: origin.transport,
      address: origin.address,
      createdAt: now,
      updatedAt: now,
      ...(config.AUDIT_DAYS > 0 && { expiresAt: new Date(now.getTime() + config.AUDIT_DAYS * DAY_MS) }),
    };
  });
  await context.store.collections.auditEntries.insertMany(entries, { session });
  onCommit(session, () => {
    for (const entry of entries) context.info?.({ audit: logged(entry) }, 'privileged act');
  });
}

/** The fields of a log line: without the reason and details, which can contain what users wrote. */
function logged({ auditId, networkId, actorKind, actorId, action, ...entry }: AuditEntryRecord) {
  const { subjectType, subjectId, affectedUserId, transport, address } = entry;
  return { auditId, networkId, actorKind, actorId, action, subjectType, subjectId, affectedUserId, transport, address };
}
