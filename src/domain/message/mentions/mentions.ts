import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../../context.ts';
import { OperationError } from '../../../errors.ts';
import type { Mentionee } from '../../../store/records/base.ts';
import { raiseChannelMention, raiseMentions } from '../../channel/messages/mentions.ts';
import { raiseMarkerMentions } from '../../marker/positions/mentions.ts';
import { raiseFeedMention } from '../../message-feed/feed-mention.ts';
import type { FeedPlace } from '../../message-feed/get-message-feed.ts';
import { getNetworkSettings } from '../../network/get-network-settings.ts';
import { blockedAmong } from '../../user/blocks/blocks.ts';
import { MAX_MENTIONED, type MessageContent } from '../message-input.ts';

export interface Mentions {
  /** The mentions as the message stores them. */
  mentionedUsers: Mentionee[];
  /** Mentioned members of the channel, without the viewer. */
  memberIds: string[];
  isEverybody: boolean;
}

/**
 * Resolves the mentions of a message: users, or everybody in the channel.
 * @throws {OperationError} INVALID_PARAMETERS for more than 30 users or unknown ones, FORBIDDEN where the network's
 *   settings do not allow the mention
 */
export async function mentionsOf(
  context: Context,
  { channel }: Pick<FeedPlace, 'channel'>,
  given: NonNullable<MessageContent['mentionedUsers']>,
): Promise<Mentions> {
  const userIds = [...new Set(given.flatMap(({ type, userIds }) => (type === 'user' ? (userIds ?? []) : [])))];
  const isEverybody = given.some(({ type }) => type === 'channel');
  if (userIds.length === 0 && !isEverybody) return { mentionedUsers: [], memberIds: [], isEverybody };
  if (userIds.length > MAX_MENTIONED) throw invalidMention(`at most ${MAX_MENTIONED} users`);
  const { mention } = (await getNetworkSettings(context)).chat;
  if ((isEverybody && !mention.isAllowMentionAll) || (userIds.length > 0 && !mention.isAllowMentionedUsers)) {
    throw new OperationError('FORBIDDEN', {
      message: 'The settings of the network do not allow this mention.',
      path: ['mentionedUsers'],
    });
  }
  const [users, members, blocked] = await Promise.all([
    Promise.all(userIds.map((userId) => context.load.users.load(userId))),
    Promise.all(userIds.map((userId) => context.load.channelUsers.load([channel.channelId, userId]))),
    blockedAmong(context, userIds),
  ]);
  const known = users.filter((user) => user !== null).filter(({ isDeleted }) => !isDeleted);
  if (known.length < userIds.length || blocked.length > 0) throw invalidMention('an unknown user');
  const byName: Mentionee = {
    type: 'user',
    userIds,
    userInternalIds: known.map((user) => user._id.toHexString()),
  };
  return {
    mentionedUsers: [
      ...(userIds.length > 0 ? [byName] : []),
      ...(isEverybody ? [{ type: 'channel' as const, userIds: [], userInternalIds: [] }] : []),
    ],
    memberIds: members
      .filter((member) => member !== null)
      .filter((member) => member.membership === 'member' && member.userId !== viewerOf(context).userId)
      .map(({ userId }) => userId),
    isEverybody,
  };
}

/**
 * Checks in a transaction that no block prevents the mentions, because it may have waited for a lock.
 * @throws {OperationError} INVALID_PARAMETERS, as {@link mentionsOf}
 */
export async function requireStillMentionable(
  context: Context,
  session: ClientSession,
  { mentionedUsers }: Mentions,
): Promise<void> {
  const userIds = mentionedUsers.flatMap((mentioned) => mentioned.userIds);
  if ((await blockedAmong(context, userIds, session)).length > 0) throw invalidMention('an unknown user');
}

/** Records mentions in the markers and memberships of the mentioned users, with a constant number of commands. */
export async function storeMentions(
  context: Context,
  session: ClientSession,
  { place, segment, userId, mentions }: { place: FeedPlace; segment: number; userId: string; mentions: Mentions },
): Promise<void> {
  const { feed, channel } = place;
  const { memberIds, isEverybody } = mentions;
  const isDefault = feed.messageFeedId === channel.defaultMessageFeedId;
  if (memberIds.length > 0) {
    await raiseMarkerMentions(context, session, { feed, segment, userIds: memberIds });
    if (isDefault) await raiseMentions(context, session, { channel, segment, userIds: memberIds });
  }
  if (!isEverybody) return;
  await raiseFeedMention(context, session, { feed, mention: { segment, userId } });
  if (isDefault) await raiseChannelMention(context, session, { channel, mention: { segment, userId } });
}

function invalidMention(problem: string): OperationError {
  return new OperationError('INVALID_PARAMETERS', { detail: [`mentionedUsers: ${problem}`], path: ['mentionedUsers'] });
}
