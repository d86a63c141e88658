import type { z } from 'zod';
import { canModerateMessages } from '../../access/channel.ts';
import { canDeleteMessage } from '../../access/message.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { appendEvents } from '../../events/append-events.ts';
import type { MessageRecord } from '../../store/records/chat.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { requireChannelRight } from '../channel/members/require-channel-right.ts';
import { validate } from '../input.ts';
import { lockFor } from '../lock-for.ts';
import { actOnMessage } from './act-on-message.ts';
import { deleteMessageInTransaction } from './delete-message-in-transaction.ts';
import { findMessage, presentMessage } from './get-message.ts';
import { invalidateMessage } from './invalidate-message.ts';
import { messageEvent } from './message-events.ts';
import { messageIdInput } from './message-input.ts';

/**
 * Deletes a message. It keeps its segment; only moderators read its content.
 * @throws {OperationError} NOT_FOUND, also when it is already deleted; PERMISSION_DENIED for another user's message
 *   without DELETE_MESSAGE
 */
export async function deleteMessage(context: Context, input: z.input<typeof messageIdInput>): Promise<MessageRecord> {
  const { messageId } = validate(messageIdInput, input);
  const place = await findMessage(context, messageId);
  if (!place || place.message.isDeleted || place.feed.isDeleted) throw notFound('Message');
  const { message } = place;
  if (!canDeleteMessage(viewerOf(context), message, place)) throw new OperationError('PERMISSION_DENIED');
  const isPrivileged = message.userId !== viewerOf(context).userId;
  const deleted = await context.transaction(
    async (session) => {
      if (isPrivileged) await requireChannelRight(context, session, place, canModerateMessages);
      const gone = await deleteMessageInTransaction(context, session, message);
      if (!gone) throw notFound('Message');
      if (isPrivileged) await recordAudit(context, session, [actOnMessage(gone)]);
      await appendEvents(context, session, [messageEvent('message.deleted', gone)]);
      return gone;
    },
    lockFor(context, 'channel', message.channelId),
  );
  invalidateMessage(context, deleted);
  return presentMessage(context, deleted, place.membership);
}
