import type { z } from 'zod';
import { canModerateMessages } from '../../../access/channel.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import { append } from '../../../events/append.ts';
import type { MessageRecord } from '../../../store/records/chat.ts';
import type { TransactionOptions } from '../../../store/transaction.ts';
import { uncountFlag } from '../../flag/count-flag.ts';
import { flaggersOf, removeFlag } from '../../flag/record-flag.ts';
import { removeFlags } from '../../flag/remove-flags.ts';
import { validate } from '../../input.ts';
import { findMessage, type MessagePlace, presentMessage } from '../get-message.ts';
import { messageEvent } from '../message-events.ts';
import { messageIdInput } from '../message-input.ts';

/** Those who flag a message, or take that back, take turns. */
export function messageFlagsLock({ networkId, messageId }: MessageRecord): TransactionOptions {
  return { key: `flags ${networkId} ${messageId}` };
}

/**
 * Takes the viewer's flag on a message back; without one nothing happens.
 * @throws {OperationError} NOT_FOUND
 */
export async function unflagMessage(context: Context, input: z.input<typeof messageIdInput>): Promise<MessageRecord> {
  const { userId } = viewerOf(context);
  const { messageId } = validate(messageIdInput, input);
  const place = await findMessage(context, messageId);
  if (!place || place.message.isDeleted || place.feed.isDeleted) throw notFound('Message');
  const reference = { referenceType: 'message', referenceId: messageId } as const;
  const unflagged = await context.transaction(async (session) => {
    if (!(await removeFlag(context, session, { ...reference, userId }))) return null;
    const flaggers = await flaggersOf(context, session, reference);
    const { messages } = context.store.collections;
    const uncounted = await uncountFlag({ session, collection: messages, filter: keyOf(place), flaggers });
    await append(context, session, [messageEvent('message.unflagged', place.message)]);
    return uncounted;
  }, messageFlagsLock(place.message));
  context.load.messages.clear(messageId);
  context.load.myFlags.clear([messageId, userId]);
  return presentMessage(context, unflagged ?? place.message, place.membership);
}

/**
 * Takes everybody's flags on a message back, so that it is as if nobody had messageIdInput it.
 * @throws {OperationError} NOT_FOUND, PERMISSION_DENIED without DELETE_MESSAGE
 */
export async function clearMessageFlags(
  context: Context,
  input: z.input<typeof messageIdInput>,
): Promise<MessageRecord> {
  const viewer = viewerOf(context);
  const { messageId } = validate(messageIdInput, input);
  const place = await findMessage(context, messageId);
  if (!place) throw notFound('Message');
  if (!canModerateMessages(viewer, place.membership)) throw new OperationError('PERMISSION_DENIED');
  const cleared = await context.transaction(async (session) => {
    const { messages } = context.store.collections;
    const set = { flagCount: 0, hashFlag: null, updatedAt: context.now() };
    const before = await messages.findOneAndUpdate(keyOf(place), { $set: set }, { session, returnDocument: 'before' });
    await removeFlags(context, session, { referenceType: 'message', referenceId: messageId });
    if (!before) return null;
    if (before.flagCount > 0) await append(context, session, [messageEvent('message.flagCleared', before)]);
    return { ...before, ...set };
  }, messageFlagsLock(place.message));
  context.load.messages.clear(messageId);
  context.load.myFlags.clear([messageId, viewer.userId]);
  return presentMessage(context, cleared ?? place.message, place.membership);
}

function keyOf({ message: { networkId, messageFeedId, segment, messageId } }: MessagePlace) {
  return { networkId, messageFeedId, segment, messageId };
}
