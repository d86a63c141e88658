import type { ClientSession } from 'mongodb';
import type { z } from 'zod';
import { mayInChannel } from '../../access/channel.ts';
import { refusalToEdit } from '../../access/message.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { appendEvents } from '../../events/append-events.ts';
import type { MessageRecord } from '../../store/records/chat.ts';
import { together } from '../../store/transaction.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { channelInTransaction } from '../channel/members/channel-in-transaction.ts';
import { requireChannelRight } from '../channel/members/require-channel-right.ts';
import { requireAllowedText } from '../content-rules/require-allowed-text.ts';
import { omitUndefined, validate, withoutNull } from '../input.ts';
import { lockFor } from '../lock-for.ts';
import { touchFeed } from '../message-feed/touch-feed.ts';
import { indexMessage } from '../search-index/index-record.ts';
import { requireNotBlocked, writePartners } from '../user/blocks/blocks.ts';
import { actOnMessage } from './act-on-message.ts';
import { contentOf } from './content/message-content.ts';
import { findMessage, type MessagePlace, presentMessage } from './get-message.ts';
import { invalidateMessage } from './invalidate-message.ts';
import { mentionsOf, requireStillMentionable, storeMentions } from './mentions/mentions.ts';
import { removeMentions } from './mentions/remove-mentions.ts';
import { messageEvent } from './message-events.ts';
import { type MessageDataType, messageContent, messageIdInput } from './message-input.ts';

export const updateMessageInput = messageIdInput.extend({ ...messageContent, data: withoutNull(messageContent.data) });
export type MessageUpdate = z.input<typeof updateMessageInput>;

/**
 * Edits a message; absent fields are left unchanged, null clears. Authors edit while they may still send messages
 * there; users with EDIT_MESSAGE edit messages of others.
 *
 * @throws {OperationError} NOT_FOUND, also for a deleted message; PERMISSION_DENIED, or the reason why the author may
 *   no longer send; INVALID_PARAMETERS as for a new message
 */
export async function updateMessage(context: Context, input: MessageUpdate): Promise<MessageRecord> {
  const viewer = viewerOf(context);
  const update = validate(updateMessageInput, input);
  const { messageId } = update;
  const place = await findMessage(context, messageId);
  if (!place || place.message.isDeleted || place.feed.isDeleted) throw notFound('Message');
  const { message } = place;
  const refusal = refusalToEdit(viewer, message, place, context.hasPassed);
  if (refusal) throw refusal;
  const [partners, content, mentions] = await Promise.all([
    writePartners(context, place.channel),
    isContentGiven(update)
      ? contentOf(context, message.dataType as MessageDataType, mergeContent(message, update), message)
      : {},
    update.mentionedUsers === undefined ? null : mentionsOf(context, place, update.mentionedUsers ?? []),
    requireAllowedText(context, [update.data?.text, update.data?.caption]),
  ]);
  const { networkId, messageFeedId, segment, userId } = message;
  const changed = await context.transaction(
    async (session) => {
      const now = context.now();
      const set = {
        ...content,
        ...omitUndefined({
          tags: update.tags === null ? [] : update.tags,
          metadata: update.metadata === null ? {} : update.metadata,
        }),
        ...(mentions && { mentionedUsers: mentions.mentionedUsers }),
        editedAt: now,
        updatedAt: now,
      };
      const before = await context.store.collections.messages.findOneAndUpdate(
        { networkId, messageFeedId, segment, messageId, isDeleted: false },
        { $set: set },
        { session, returnDocument: 'before' },
      );
      if (!before) throw notFound('Message');
      await together(session, [
        () => requireStillEditable(context, session, place),
        () => requireNotBlocked(context, partners, { session }),
        mentions && (() => requireStillMentionable(context, session, mentions)),
      ]);
      const edited = { ...before, ...set };
      if ('data' in set || 'tags' in set) await indexMessage(context, session, edited);
      if (mentions) {
        const isDefault = messageFeedId === place.channel.defaultMessageFeedId;
        await touchFeed(context, session, edited);
        await removeMentions(context, session, { message: before, remaining: edited.mentionedUsers, isDefault });
        await storeMentions(context, session, { place, segment, userId, mentions });
      }
      if (userId !== viewer.userId) await recordAudit(context, session, [actOnMessage(edited)]);
      await appendEvents(context, session, [messageEvent('message.updated', edited)]);
      return edited;
    },
    lockFor(context, 'channel', message.channelId),
  );
  invalidateMessage(context, changed);
  return presentMessage(context, changed, place.membership);
}

/**
 * Checks in the transaction that the viewer may still edit the message, because it may have waited for its lock.
 * @throws {OperationError} BANNED; PERMISSION_DENIED; for the author, the reason why they may no longer send
 */
async function requireStillEditable(context: Context, session: ClientSession, place: MessagePlace): Promise<void> {
  const viewer = viewerOf(context);
  const { message, channel } = place;
  if (message.userId !== viewer.userId) {
    await requireChannelRight(context, session, place, (own, membership) =>
      mayInChannel(own, membership, 'EDIT_MESSAGE'),
    );
    return;
  }
  const current = await channelInTransaction(context, session, channel);
  const refusal = refusalToEdit(viewer, message, current, context.hasPassed);
  if (refusal) throw refusal;
}

type Content = Pick<z.output<typeof updateMessageInput>, 'data' | 'fileId' | 'thumbnailFileId'>;

function isContentGiven({ data, fileId, thumbnailFileId }: Content): boolean {
  return data !== undefined || fileId !== undefined || thumbnailFileId !== undefined;
}

/** The content after an update. New data includes its files; without new data, only the file fields change. */
function mergeContent(message: MessageRecord, update: Content): Content {
  if (update.data) return update;
  const { fileId: _, thumbnailFileId: __, ...rest } = message.data;
  return {
    data: rest,
    fileId: update.fileId === undefined ? message.fileId : update.fileId,
    thumbnailFileId: update.thumbnailFileId === undefined ? message.thumbnailFileId : update.thumbnailFileId,
  };
}
