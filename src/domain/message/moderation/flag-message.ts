import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { append } from '../../../events/append.ts';
import type { ChannelRecord, MessageRecord } from '../../../store/records/chat.ts';
import { countFlag } from '../../flag/count-flag.ts';
import { type FlagReasonInput, flagReason } from '../../flag/flag-reason.ts';
import { recordFlag } from '../../flag/record-flag.ts';
import { deleteMessageWithin } from '../delete-message-within.ts';
import { findMessage, presentMessage } from '../get-message.ts';
import { invalidateMessage } from '../invalidate-message.ts';
import { messageEvent } from '../message-events.ts';
import { messageFlagsLock } from './unflag-message.ts';

/**
 * Flags a message for its moderators (interface §4.6). Visibility comes first: what the viewer may not read answers
 * like what is not there (attacks 9). One flag a user counts; a repeat changes its reason. In a channel that says so,
 * the flag that reaches the limit deletes the message.
 * @returns the message as the viewer may see it afterwards
 * @throws {OperationError} NOT_FOUND, also for a deleted message; INVALID_PARAMETERS for a detail over 300 characters
 */
export async function flagMessage(
  context: Context,
  { messageId, ...given }: FlagReasonInput & { messageId: string },
): Promise<MessageRecord> {
  const { userId } = viewerOf(context);
  const why = flagReason(given);
  const place = await findMessage(context, messageId);
  if (!place || place.message.isDeleted || place.feed.isDeleted) throw notFound('Message');
  const flagged = await context.transaction(async (session) => {
    const change = await recordFlag(context, session, {
      referenceType: 'message',
      referenceId: messageId,
      userId,
      ...why,
    });
    if (change !== 'new') return place.message;
    const counted = await count(context, session, { ...place, userId });
    // Nobody in particular deleted it: to name who flagged last would tell that they did.
    const removal = counted.isDeleted ? [{ ...messageEvent('message.deleted', counted), hasNoActor: true }] : [];
    await append(context, session, [messageEvent('message.flagged', counted), ...removal]);
    return counted;
  }, messageFlagsLock(place.message));
  // The flag may have deleted it, with all that counts it.
  invalidateMessage(context, flagged);
  context.load.myFlags.clear([messageId, userId]);
  if (flagged.parentId !== null) context.load.messages.clear(flagged.parentId);
  return presentMessage(context, flagged, place.membership);
}

async function count(
  context: Context,
  session: ClientSession,
  { message, channel, userId }: { message: MessageRecord; channel: ChannelRecord; userId: string },
): Promise<MessageRecord> {
  const { networkId, messageFeedId, segment, messageId } = message;
  const collection = context.store.collections.messages;
  const filter = { networkId, messageFeedId, segment, messageId, isDeleted: false };
  const flagged = await countFlag({ session, collection, filter, userId });
  if (!flagged) throw notFound('Message');
  if (!channel.messageAutoDeleteEnabled || channel.autoDeleteMessageByFlagLimit < 1) return flagged;
  if (flagged.flagCount < channel.autoDeleteMessageByFlagLimit) return flagged;
  return (await deleteMessageWithin(context, session, flagged)) ?? flagged;
}
