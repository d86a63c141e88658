import type { ChannelPlace } from '../../access/message.ts';
import type { Context, Viewer } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { appendEvents } from '../../events/append-events.ts';
import type { ChannelRecord, ChannelUserRecord } from '../../store/records/chat.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { differs } from '../differs.ts';
import { lockFor } from '../lock-for.ts';
import { indexChannel } from '../search-index/index-record.ts';
import { requireNotBlocked } from '../user/blocks/blocks.ts';
import { channelEvent } from './channel-events.ts';
import { requireChannelRight } from './members/require-channel-right.ts';
import { invalidateChannel } from './new-channel.ts';

interface ChangeOptions {
  /** The event to append. */
  type: Parameters<typeof channelEvent>[0];
  /** The policy function of the permission by which the viewer acts; null for a member of a conversation. */
  may: ((viewer: Viewer, membership: ChannelUserRecord | null) => boolean) | null;
  /** Users with whom a block prevents the change. @default none */
  partners?: readonly string[];
}

/**
 * Updates a live channel and appends an event if a field changed. The caller has checked the permission, which is checked
 * again in the transaction; the audit log records such changes.
 * @throws {OperationError} NOT_FOUND when it was deleted meanwhile; BANNED, PERMISSION_DENIED; FORBIDDEN for a block
 */
export async function changeChannel(
  context: Context,
  place: ChannelPlace,
  set: Partial<ChannelRecord>,
  { type, may, partners = [] }: ChangeOptions,
): Promise<ChannelRecord> {
  const { networkId, channelId } = place.channel;
  const changed = await context.transaction(
    async (session) => {
      await requireNotBlocked(context, partners, { session });
      if (may) await requireChannelRight(context, session, place, may);
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
      if (may && hasChanged) {
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
