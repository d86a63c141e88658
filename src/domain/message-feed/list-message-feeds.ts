import { canSeeMessageFeed } from '../../access/message.ts';
import { type Context, viewerOf } from '../../context.ts';
import { type Page, type PageRequest, readPage } from '../../store/page.ts';
import type { ChannelRecord, MessageFeedRecord } from '../../store/records/chat.ts';
import { requireChannelAccess } from '../channel/get-channel.ts';

export interface MessageFeedQuery {
  /** Leaves out the default feed. @default false */
  excludesDefault?: boolean | null | undefined;
  /** @default both; the viewer needs EDIT_CHANNEL to see deleted ones */
  isDeleted?: boolean | null | undefined;
  request: PageRequest;
}

/**
 * A page of the message feeds of a channel, newest first.
 * @throws {OperationError} BANNED or FORBIDDEN when the viewer does not see inside
 */
export async function listMessageFeeds(
  context: Context,
  channel: ChannelRecord,
  { excludesDefault, isDeleted, request }: MessageFeedQuery,
): Promise<Page<MessageFeedRecord>> {
  const viewer = viewerOf(context);
  const place = await requireChannelAccess(context, channel);
  return readPage({
    collection: context.store.collections.messageFeeds,
    budget: context.reads,
    filter: {
      networkId: channel.networkId,
      channelId: channel.channelId,
      ...(excludesDefault && { isDefault: false }),
      ...(isDeleted != null && { isDeleted }),
    },
    order: { field: 'createdAt', direction: -1, type: 'date' },
    request,
    visible: async (feeds) => feeds.filter((feed) => canSeeMessageFeed(viewer, feed, place)),
  });
}
