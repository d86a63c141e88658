import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { appendEvents } from '../../events/append-events.ts';
import type { ChannelRecord } from '../../store/records/chat.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { differs } from '../differs.ts';
import { lockFor } from '../lock-for.ts';
import { indexChannel } from '../search-index/index-record.ts';
import { channelEvent } from './channel-events.ts';
import { invalidateChannel } from './new-channel.ts';

/**
 * Updates a live channel and appends an event if a field changed. The caller has checked permissions.
 * @param options.isPrivileged whether the viewer acts by a permission, which the audit log records. @default true
 * @throws {OperationError} NOT_FOUND when it was deleted meanwhile
 */
export async function changeChannel(
  context: Context,
  { networkId, channelId }: ChannelRecord,
  set: Partial<ChannelRecord>,
  { type, isPrivileged = true }: { type: Parameters<typeof channelEvent>[0]; isPrivileged?: boolean },
): Promise<ChannelRecord> {
  const changed = await context.transaction(
    async (session) => {
      const updatedAt = context.now();
      const before = await context.store.collections.channels.findOneAndUpdate(
        { networkId, channelId, isDeleted: false },
        { $set: { ...set, updatedAt } },
        { session, returnDocument: 'before' },
      );
      if (!before) throw notFound('Channel');
      const changed = { ...before, ...set, updatedAt };
      if (before.displayName !== changed.displayName || before.isPublic !== changed.isPublic) {
        await indexChannel(context, session, changed);
      }
      const hasChanged = differs(before, set);
      if (isPrivileged && hasChanged) {
        const details = { fields: Object.keys(set) };
        await recordAudit(context, session, [{ subjectType: 'channel', subjectId: channelId, channelId, details }]);
      }
      if (hasChanged) await appendEvents(context, session, [channelEvent(type, before)]);
      return changed;
    },
    lockFor(context, 'channel', channelId),
  );
  invalidateChannel(context, changed);
  return changed;
}
