import { canModerateMessages } from '../../../access/channel.ts';
import { type Context, viewerOf } from '../../../context.ts';
import type { MessageRecord } from '../../../store/records/chat.ts';
import { FLAGGED, type QueueSelection, type QueueSource, queueFilters, queueSource } from '../../flag/queue-source.ts';
import { findMessageFeed } from '../../message-feed/get-message-feed.ts';

/** Flagged messages of the moderation queue, without those of deleted feeds. */
export function flaggedMessages(context: Context, selection: QueueSelection): QueueSource {
  const { networkId } = viewerOf(context);
  return queueSource<MessageRecord>({
    kind: 'message',
    collection: context.store.collections.messages,
    filters: queueFilters<MessageRecord>(selection, { networkId, authorField: 'userId', state: FLAGGED }),
    moderated: (messages) => moderatedMessages(context, messages),
  });
}

/** A message, if the viewer moderates messages there. */
export async function moderatedMessage(context: Context, messageId: string): Promise<MessageRecord | null> {
  const message = await context.load.messages.load(messageId);
  return message && ((await moderatedMessages(context, [message]))[0] ?? null);
}

async function moderatedMessages(context: Context, messages: MessageRecord[]): Promise<MessageRecord[]> {
  const viewer = viewerOf(context);
  const isModerated = await Promise.all(
    messages.map(async ({ messageFeedId }) => {
      const place = await findMessageFeed(context, messageFeedId);
      return place !== null && !place.feed.isDeleted && canModerateMessages(viewer, place.membership);
    }),
  );
  return messages.filter((_, index) => isModerated[index]);
}
