import type { Context } from '../../../context.ts';
import type { ChannelRecord, ChannelUserRecord, MessageFeedRecord } from '../../../store/records/chat.ts';
import { conversationMembers } from '../members/get-channel-user.ts';

/** Maximum characters of a channel name. */
export const MAX_NAME = 100;

/**
 * The display name of a channel: the chosen one, else the current names of its members. Derived names are not stored,
 * so they follow renames and deletions.
 */
export function channelName(context: Context, channel: ChannelRecord): string | Promise<string> {
  // A repeated write does not return members to users who lost access.
  if (channel.displayName !== '' || context.unseen?.has(channel)) return channel.displayName;
  return conversationMembers(context, channel).then(nameOfMembers);
}

/** The display name of a message feed. The first feed of an unnamed conversation has the name of the conversation. */
export async function feedName(context: Context, feed: MessageFeedRecord): Promise<string> {
  // The name of an erased feed stays empty.
  const isDerived = feed.name === '' && feed.channelType === 'conversation' && feed.isDefault && !feed.isDeleted;
  if (!isDerived || context.unseen?.has(feed)) return feed.name;
  const channel = await context.load.channels.load(feed.channelId);
  return channel ? channelName(context, channel) : '';
}

/** The derived name of a conversation. */
export function nameOfMembers(members: ReadonlyArray<Pick<ChannelUserRecord, 'userId' | 'displayName'>>): string {
  const ordered = [...members].sort((one, other) => (one.userId < other.userId ? -1 : 1));
  const name = ordered.map(({ displayName }) => displayName).join(', ');
  const short = name.slice(0, MAX_NAME);
  // Do not cut a surrogate pair in half.
  return short.isWellFormed() ? short : short.slice(0, -1);
}
