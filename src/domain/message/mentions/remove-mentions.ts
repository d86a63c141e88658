import type { ClientSession } from 'mongodb';
import type { Context } from '../../../context.ts';
import type { Mentionee } from '../../../store/records/base.ts';
import type { MessageRecord } from '../../../store/records/chat.ts';
import { lowerChannelMention, lowerMentions } from '../../channel/messages/mentions.ts';
import { lowerMarkerMentions } from '../../marker/positions/mentions.ts';
import { lowerFeedMention } from '../../message-feed/feed-mention.ts';

/** Number of messages to search for an older mention. */
const LOOK_BACK = 1_000;

interface RemovedMentions {
  /** The message with its former mentions. */
  message: MessageRecord;
  /** The mentions that remain; none for a deleted message. */
  remaining: Mentionee[];
  /** Whether its feed is the default feed, whose mentions the channel repeats. */
  isDefault: boolean;
}

/**
 * Removes mentions that a deleted or edited message no longer has: an older mention becomes the newest one, or none.
 * Sends a constant number of commands, and none for a message without mentions.
 */
export async function removeMentions(
  context: Context,
  session: ClientSession,
  { message, remaining, isDefault }: RemovedMentions,
): Promise<void> {
  const { networkId, messageFeedId, segment } = message;
  const kept = namesIn(remaining);
  const userIds = [...namesIn(message.mentionedUsers)].filter((userId) => !kept.has(userId));
  const isEverybody = namesEverybody(message.mentionedUsers) && !namesEverybody(remaining);
  if (userIds.length === 0 && !isEverybody) return;
  const others = await mentionsBefore(context, session, { message, userIds });
  if (userIds.length > 0) {
    const older = userIds.map((userId) => ({
      userId,
      segment: newest(others, (one) => one.userId !== userId && namesIn(one.mentionedUsers).has(userId))?.segment ?? 0,
    }));
    await lowerMarkerMentions(context, session, { networkId, feedId: messageFeedId, segment, older });
    if (isDefault) await lowerMentions(context, session, { channel: message, segment, older });
  }
  if (!isEverybody) return;
  const before = newest(others, (one) => namesEverybody(one.mentionedUsers));
  const older = before && { segment: before.segment, userId: before.userId };
  await lowerFeedMention(context, session, { networkId, messageFeedId, segment, older });
  if (isDefault) await lowerChannelMention(context, session, { channel: message, segment, older });
}

type Mentioning = Pick<MessageRecord, 'segment' | 'userId' | 'mentionedUsers'>;

/** Live messages before this one that mention everybody or one of these users. */
function mentionsBefore(
  context: Context,
  session: ClientSession,
  { message, userIds }: { message: MessageRecord; userIds: string[] },
): Promise<Mentioning[]> {
  const { networkId, messageFeedId, segment } = message;
  return context.store.collections.messages
    .find(
      {
        networkId,
        messageFeedId,
        segment: { $gt: segment - LOOK_BACK, $lt: segment },
        isDeleted: false,
        mentionedUsers: { $elemMatch: { $or: [{ type: 'channel' }, { userIds: { $in: userIds } }] } },
      },
      { session, projection: { _id: 0, segment: 1, userId: 1, mentionedUsers: 1 } },
    )
    .toArray();
}

function newest(messages: Mentioning[], isOne: (message: Mentioning) => boolean): Mentioning | null {
  return messages
    .filter(isOne)
    .reduce<Mentioning | null>((known, one) => (known && known.segment > one.segment ? known : one), null);
}

function namesIn(mentions: Mentionee[]): Set<string> {
  return new Set(mentions.flatMap(({ userIds }) => userIds));
}

function namesEverybody(mentions: Mentionee[]): boolean {
  return mentions.some(({ type }) => type === 'channel');
}
