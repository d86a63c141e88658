import { type Context, viewerOf } from '../../../context.ts';
import type { ChannelRecord, ChannelUserRecord } from '../../../store/records/chat.ts';
import { findInsideChannel } from '../get-channel.ts';

/** A membership by its internal id: the viewer's own always, others when the viewer sees inside the channel. */
export async function getChannelUser(
  context: Context,
  { internalId }: { internalId: string },
): Promise<ChannelUserRecord | null> {
  const viewer = viewerOf(context);
  const member = await context.load.channelUsersById.load(internalId);
  if (!member) return null;
  if (member.userId === viewer.userId) return member;
  return (await findInsideChannel(context, member.channelId)) ? member : null;
}

/** The members of a conversation; an empty list for any other channel. */
export async function conversationMembers(
  context: Context,
  { channelId, type }: ChannelRecord,
): Promise<ChannelUserRecord[]> {
  return type === 'conversation' ? ((await context.load.channelMembers.load([channelId, 'member'])) ?? []) : [];
}
