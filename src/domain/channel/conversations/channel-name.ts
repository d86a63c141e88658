import type { Context } from '../../../context.ts';
import type { ChannelRecord, ChannelUserRecord, MessageFeedRecord } from '../../../store/records/chat.ts';
import { conversationMembers } from '../members/get-channel-user.ts';

/** The longest name of a channel. */
export const MAX_NAME = 100;

/**
 * The name to show for a channel: the one that a user chose, else the names of its members as they are now. Derived names
 * are not stored, so they follow when a user is renamed or deleted.
 */
export function channelName(context: Context, channel: ChannelRecord): string | Promise<string> {
  // The answer of a repeated write shows no members to users who lost access.
  if (channel.displayName !== '' || context.unseen?.has(channel)) return channel.displayName;
  return conversationMembers(context, channel).then(nameOfMembers);
}

/** The name to show for a message feed: the first feed of a conversation without a chosen name is named like the conversation. */
export async function feedName(context: Context, feed: MessageFeedRecord): Promise<string> {
  // A feed whose deletion erased its name keeps none.
  const isDerived = feed.name === '' && feed.channelType === 'conversation' && feed.isDefault && !feed.isDeleted;
  if (!isDerived || context.unseen?.has(feed)) return feed.name;
  const channel = await context.load.channels.load(feed.channelId);
  return channel ? channelName(context, channel) : '';
}

/** The name of a conversation that nobody named. */
export function nameOfMembers(members: ReadonlyArray<Pick<ChannelUserRecord, 'userId' | 'displayName'>>): string {
  const ordered = [...members].sort((one, other) => (one.userId < other.userId ? -1 : 1));
  const name = ordered.map(({ displayName }) => displayName).join(', ');
  const short = name.slice(0, MAX_NAME);
  // Never half of a surrogate pair.
  return short.isWellFormed() ? short : short.slice(0, -1);
}
