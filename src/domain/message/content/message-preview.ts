import { canSeeInsideChannel } from '../../../access/channel.ts';
import { type Context, viewerOf } from '../../../context.ts';
import type { ChannelRecord, MessageRecord } from '../../../store/records/chat.ts';
import { findInsideChannel } from '../../channel/get-channel.ts';
import { linkedMessage } from '../get-message.ts';

/** The id of the message that a channel previews, for users who see inside the channel. */
export async function previewIdOf(context: Context, channel: ChannelRecord): Promise<string | null> {
  if (channel.messagePreviewId === null) return null;
  // A repeated write returns the channel as it was stored.
  if (context.unseen) return (await findInsideChannel(context, channel.channelId)) && channel.messagePreviewId;
  const viewer = viewerOf(context);
  const membership = await context.load.channelUsers.load([channel.channelId, viewer.userId]);
  return canSeeInsideChannel(viewer, channel, membership) ? channel.messagePreviewId : null;
}

/** The message that a channel previews: its newest live one. */
export async function previewOf(context: Context, channel: ChannelRecord): Promise<MessageRecord | null> {
  const messageId = await previewIdOf(context, channel);
  return linkedMessage(context, messageId);
}
