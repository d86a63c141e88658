import { isChannelMember } from '../../access/channel.ts';
import { type Context, prefetch, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { whenLoaded } from '../../lib/maybe-promise.ts';
import type { LatestReaction, MessageRecord } from '../../store/records/chat.ts';
import { prefetchChannel } from '../channel/get-channel.ts';
import { countReaction, type ReactionChange } from '../engagement/count-reaction.ts';
import type { Reactable } from '../engagement/reactable.ts';
import { findMessage, presentMessage } from './get-message.ts';

/** @throws {OperationError} NOT_FOUND, FORBIDDEN for users who are no members of the channel */
export async function reactableMessage(context: Context, messageId: string): Promise<Reactable<MessageRecord>> {
  // The name of the viewer is stored with the reaction.
  prefetch(context.load.users.load(viewerOf(context).userId));
  prefetch(
    whenLoaded(
      context.load.messages.load(messageId),
      (message) => message && prefetchChannel(context, message.channelId),
    ),
  );
  const place = await findMessage(context, messageId);
  if (!place || place.message.isDeleted || place.feed.isDeleted) throw notFound('Message');
  const { message, channel, membership } = place;
  if (!isChannelMember(membership)) {
    throw new OperationError('FORBIDDEN', { message: 'Only members of the channel can react to its messages.' });
  }
  const { networkId, messageFeedId, segment } = message;
  const filter = { networkId, messageFeedId, segment, messageId, isDeleted: false };
  return {
    channel,
    path: message.path,
    async count(session, change) {
      const collection = context.store.collections.messages;
      const set = { latestReaction: await latestReaction(context, change) };
      return countReaction({ ...change, session, collection, filter, total: 'reactionCount', set });
    },
    present(changed) {
      context.load.messages.clear(messageId);
      return presentMessage(context, changed ?? message, membership);
    },
  };
}

async function latestReaction(context: Context, { reaction, by }: ReactionChange): Promise<LatestReaction> {
  const { referenceId, reactionName, reactionId, userId } = reaction;
  const user = await context.load.users.load(userId);
  return {
    referenceId,
    referenceType: 'message',
    reactionName,
    userId,
    userDisplayName: user?.displayName ?? '',
    reactionId,
    eventName: by > 0 ? 'add' : 'remove',
    createdAt: context.now(),
  };
}
