import type { Context } from '../../context.ts';
import type { ChannelRecord, ChannelUserRecord, MessageFeedRecord } from '../../store/records/chat.ts';
import { containsText } from '../../store/text-filter.ts';
import { conversationMembers } from './get-channel-user.ts';

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

/** The name to show for a message feed: the feed of a conversation without a chosen name is named like the conversation. */
export async function feedName(context: Context, feed: MessageFeedRecord): Promise<string> {
  // A feed whose deletion erased its name keeps none.
  if (feed.name !== '' || feed.isDeleted || feed.channelType !== 'conversation' || context.unseen?.has(feed)) {
    return feed.name;
  }
  const channel = await context.load.channels.load(feed.channelId);
  return channel ? channelName(context, channel) : '';
}

function nameOfMembers(members: readonly ChannelUserRecord[]): string {
  const ordered = [...members].sort((one, other) => (one.userId < other.userId ? -1 : 1));
  const name = ordered.map(({ displayName }) => displayName).join(', ');
  const short = name.slice(0, MAX_NAME);
  // Never half of a surrogate pair.
  return short.isWellFormed() ? short : short.slice(0, -1);
}

/** Of these channels, the conversations without a chosen name in which a member's name contains the text. */
export async function conversationsWithName(
  { store }: Context,
  { networkId, channelIds, keyword }: { networkId: string; channelIds: readonly string[]; keyword: string },
): Promise<string[]> {
  const { channels, channelUsers } = store.collections;
  const unnamed = await channels
    .find({ networkId, channelId: { $in: [...channelIds] }, type: 'conversation', displayName: '' })
    .project<Pick<ChannelRecord, 'channelId'>>({ _id: 0, channelId: 1 })
    .toArray();
  if (unnamed.length === 0) return [];
  const among = { $in: unnamed.map(({ channelId }) => channelId) };
  return channelUsers.distinct('channelId', {
    networkId,
    channelId: among,
    membership: 'member',
    displayName: containsText(keyword),
  });
}
