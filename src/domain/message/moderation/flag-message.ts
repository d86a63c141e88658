import type { ClientSession } from 'mongodb';
import type { z } from 'zod';
import { canModerateMessages } from '../../../access/channel.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import type { NewEvent } from '../../../events/append-events.ts';
import type { ChannelRecord, MessageRecord } from '../../../store/records/chat.ts';
import { requireChannelStillVisible } from '../../channel/members/channel-in-transaction.ts';
import { requireChannelRight } from '../../channel/members/require-channel-right.ts';
import { clearFlags } from '../../flag/clear-flags.ts';
import type { FlagReasonInput } from '../../flag/flag-reason.ts';
import { flagRecord, isFlaggedByViewer, unflagRecord } from '../../flag/flag-record.ts';
import type { FlagTarget } from '../../flag/flag-target.ts';
import { validate } from '../../input.ts';
import { deleteMessageInTransaction } from '../delete-message-in-transaction.ts';
import { findMessage, type MessagePlace, presentMessage } from '../get-message.ts';
import { invalidateMessage } from '../invalidate-message.ts';
import { messageEvent } from '../message-events.ts';
import { messageIdInput } from '../message-input.ts';

type MessageId = z.input<typeof messageIdInput>;

/**
 * Flags a message for its moderators, as {@link flagRecord}. A message the viewer may not read is reported as absent.
 * In a channel with `messageAutoDeleteEnabled`, the flag that reaches the limit deletes the message.
 * @returns the message as the viewer may see it afterwards
 * @throws {OperationError} NOT_FOUND, also for a deleted message; INVALID_PARAMETERS for a detail over 300 characters
 */
export async function flagMessage(
  context: Context,
  { messageId, ...reason }: MessageId & FlagReasonInput,
): Promise<MessageRecord> {
  const place = await livePlace(context, messageId);
  return presentMessage(context, await flagRecord(context, flagTarget(context, place), reason), place.membership);
}

/** Withdraws the viewer's flag. @throws {OperationError} NOT_FOUND */
export async function unflagMessage(context: Context, named: MessageId): Promise<MessageRecord> {
  const place = await livePlace(context, validate(messageIdInput, named).messageId);
  return presentMessage(context, await unflagRecord(context, flagTarget(context, place)), place.membership);
}

/** Removes all flags of a message. @throws {OperationError} NOT_FOUND, PERMISSION_DENIED without DELETE_MESSAGE */
export async function clearMessageFlags(context: Context, named: MessageId): Promise<MessageRecord> {
  const place = await findMessage(context, validate(messageIdInput, named).messageId);
  if (!place) throw notFound('Message');
  if (!canModerateMessages(viewerOf(context), place.membership)) throw new OperationError('PERMISSION_DENIED');
  const cleared = await clearFlags(context, flagTarget(context, place), (session) =>
    requireChannelRight(context, session, place, canModerateMessages),
  );
  return presentMessage(context, cleared, place.membership);
}

/** Whether the viewer flagged a message. @throws {OperationError} NOT_FOUND */
export async function isMessageFlagged(context: Context, { messageId }: MessageId): Promise<boolean> {
  const place = await findMessage(context, messageId);
  if (!place) throw notFound('Message');
  const { flagCount } = place.message;
  return isFlaggedByViewer(context, { referenceType: 'message', referenceId: messageId, flagCount });
}

async function livePlace(context: Context, messageId: string): Promise<MessagePlace> {
  const place = await findMessage(context, messageId);
  if (!place || place.message.isDeleted || place.feed.isDeleted) throw notFound('Message');
  return place;
}

const EVENTS = { flagged: 'message.flagged', unflagged: 'message.unflagged', cleared: 'message.flagCleared' } as const;

function flagTarget(context: Context, { message, channel }: MessagePlace): FlagTarget<MessageRecord> {
  const { networkId, messageFeedId, segment, messageId } = message;
  return {
    referenceType: 'message',
    referenceId: messageId,
    record: message,
    collection: context.store.collections.messages,
    filter: { networkId, messageFeedId, segment, messageId },
    authorId: message.userId,
    communityId: channel.communityId,
    channelId: channel.channelId,
    requireStillVisible: (session) => requireChannelStillVisible(context, session, channel),
    label: 'Message',
    lock: { key: `flags ${networkId} ${messageId}` },
    isUpdatedByClearing: true,
    event: (change, record) => messageEvent(EVENTS[change], record),
    afterFlag: (session, flagged) => deleteAtLimit(context, session, flagged, channel),
    invalidate: () => invalidateMessage(context, message),
  };
}

/** Deletes a message whose flags reach the limit of its channel. */
async function deleteAtLimit(
  context: Context,
  session: ClientSession,
  flagged: MessageRecord,
  { messageAutoDeleteEnabled, autoDeleteMessageByFlagLimit: limit }: ChannelRecord,
): Promise<{ record: MessageRecord; events: NewEvent[] }> {
  const isReached = messageAutoDeleteEnabled && limit > 0 && flagged.flagCount >= limit;
  const deleted = isReached ? await deleteMessageInTransaction(context, session, flagged) : null;
  if (!deleted) return { record: flagged, events: [] };
  // No actor: naming the last user who flagged the message would reveal that they did.
  return { record: deleted, events: [{ ...messageEvent('message.deleted', deleted), hasNoActor: true }] };
}
