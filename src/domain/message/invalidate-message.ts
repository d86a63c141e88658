import { type Context, viewerOf } from '../../context.ts';
import type { MessageRecord } from '../../store/records/chat.ts';

/** Clears a message, its parent, its feed and its channel from the loaders of the request. */
export function invalidateMessage(
  context: Context,
  { messageId, parentId, messageFeedId, channelId, channelInternalId }: MessageRecord,
): void {
  const { userId } = viewerOf(context);
  const { load } = context;
  load.messages.clear(messageId);
  if (parentId !== null) load.messages.clear(parentId);
  load.messageFeeds.clear(messageFeedId);
  load.messageFeedsOfChannel.clear(channelId);
  load.channels.clear(channelId);
  load.channelsByInternalId.clear(channelInternalId);
  load.channelUsers.clear([channelId, userId]);
  load.userFeedMarkers.clear([userId, messageFeedId]);
}
