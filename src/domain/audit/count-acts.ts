import type { Filter } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import { countTogether } from '../../store/count-together.ts';
import type { AuditEntryRecord } from '../../store/records/audit.ts';

interface ActsOnUser {
  affectedUserId: string;
  /** Names of acts. */
  actions: readonly string[];
  /** As `details.resolution` of acts on the moderation queue. */
  resolution: string;
  /** Only there; null: everywhere. */
  place: { readonly [field: string]: string | null } | null;
  max: number;
}

/** Acts of others that affected a user, as far back as the audit log reaches, `max` at most. */
export function countActsOn(
  context: Context,
  { affectedUserId, actions, resolution, place, max }: ActsOnUser,
): Promise<number> {
  const filter = {
    networkId: viewerOf(context).networkId,
    affectedUserId,
    ...place,
    $or: [{ action: { $in: [...actions] } }, { 'details.resolution': resolution }],
  } as Filter<AuditEntryRecord>;
  return countTogether(context.store.collections.auditEntries, filter, { max });
}
