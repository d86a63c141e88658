import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import { banFields } from '../../ban/ban-terms.ts';
import { banChannelMembers } from '../../channel/moderation/moderate-members.ts';
import { deleteComment } from '../../comment/delete-comment.ts';
import { clearCommentFlags } from '../../comment/flag-comment.ts';
import { banCommunityMembers } from '../../community/members/manage-members.ts';
import { QUEUE_KINDS, type QueueKind } from '../../flag/queue-source.ts';
import { id, validate } from '../../input.ts';
import { deleteMessage } from '../../message/delete-message.ts';
import { clearMessageFlags } from '../../message/moderation/flag-message.ts';
import { deletePost } from '../../post/delete-post.ts';
import { clearPostFlags } from '../../post/moderation/flag-post.ts';
import { approvePost, declinePost } from '../../post/moderation/review-post.ts';
import { deleteStory } from '../../story/delete-story.ts';
import { clearStoryFlags } from '../../story/flag-story.ts';
import { banUser } from '../../user/moderation/ban-user.ts';
import { clearUserFlags } from '../../user/moderation/flag-user.ts';
import { BAN_KINDS } from '../list-bans.ts';
import { inOneTransaction } from './in-one-transaction.ts';
import { getQueueItem } from './list-queue.ts';
import type { QueueItem } from './queue-item.ts';

export const RESOLUTIONS = ['approve', 'decline', 'clearFlags', 'delete', 'banAuthor'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

export const itemKeyInput = z.object({
  kind: z.enum(QUEUE_KINDS).describe('Kind of the record.'),
  itemId: id().describe('Public id of the record.'),
});
export type ItemKey = z.input<typeof itemKeyInput>;

/** Input fields of a decision. */
export const decisionFields = {
  action: z.enum(RESOLUTIONS).describe('The decision.'),
  reason: banFields.reason.describe('Why, for the audit log and, if the author is banned, for moderators.'),
  banFrom: z
    .enum(BAN_KINDS)
    .nullish()
    .describe(
      'From what `BAN_AUTHOR` bans: the network, or the community or channel of the content. Default: `NETWORK`.',
    ),
  banExpiresAt: banFields.expiresAt,
};
export const resolveItemInput = itemKeyInput.extend(decisionFields);
const decisionInput = z.object(decisionFields);
export type Decision = z.output<typeof decisionInput>;

/**
 * Resolves an item of the moderation queue in one transaction, with the events of the operations that it consists of, and
 * an entry in the audit log for each. Every decision takes the item out of the queue.
 *
 * @throws {OperationError} NOT_FOUND for a record that is not in the queue, also because another moderator resolved it,
 *   or that the viewer does not moderate; BAD_REQUEST for a decision that does not apply to the item; PERMISSION_DENIED;
 *   CANNOT_BAN; INVALID_PARAMETERS
 */
export async function resolveItem(context: Context, input: z.input<typeof resolveItemInput>): Promise<ItemKey> {
  const { kind, itemId, ...decision } = validate(resolveItemInput, input);
  await resolveQueued(context, { kind, itemId }, decision);
  return { kind, itemId };
}

export async function resolveQueued(context: Context, key: ItemKey, decision: Decision): Promise<void> {
  const item = await getQueueItem(context, key);
  if (!item) throw notFound('Moderation item');
  const steps = stepsOf(item, decision);
  const run = async (own: Context) => {
    for (const { name, act } of steps) {
      await act({ ...own, resolution: { name, reason: decision.reason || null } });
    }
  };
  if (steps.length === 1) await run(context);
  else await inOneTransaction(context, run);
}

interface Step {
  /** As `details.resolution` in the audit log. */
  name: Resolution;
  act(context: Context): Promise<unknown>;
}

/** The operations that a decision consists of. */
function stepsOf(item: QueueItem, decision: Decision): Step[] {
  const { kind, itemId, states } = item;
  const isInReview = states.includes('awaitingReview');
  const isFlagged = states.includes('flagged');
  const clear: Step = { name: 'clearFlags', act: (context) => CLEARS[kind](context, itemId) };
  switch (decision.action) {
    case 'approve': {
      const publish: Step = { name: 'approve', act: (context) => approvePost(context, { postId: itemId }) };
      const accept: Step = { ...clear, name: 'approve' };
      return [...(isInReview ? [publish] : []), ...(isFlagged ? [accept] : [])];
    }
    case 'decline': {
      if (!isInReview) throw notApplicable('Only posts that await review can be declined.');
      const decline: Step = { name: 'decline', act: (context) => declinePost(context, { postId: itemId }) };
      return [decline, ...(isFlagged ? [{ ...clear, name: 'decline' as const }] : [])];
    }
    case 'clearFlags':
      if (!isFlagged) throw notApplicable('This record is not flagged.');
      return [clear];
    case 'delete':
      if (kind === 'user') throw notApplicable('Users are not deleted from the moderation queue.');
      return [deletion(kind, itemId)];
    case 'banAuthor': {
      const ban: Step = { name: 'banAuthor', act: (context) => banAuthor(context, item, decision) };
      return [ban, kind === 'user' ? clear : deletion(kind, itemId)];
    }
  }
}

function deletion(kind: Exclude<QueueKind, 'user'>, itemId: string): Step {
  return { name: 'delete', act: (context) => DELETES[kind](context, itemId) };
}

type Act = (context: Context, itemId: string) => Promise<unknown>;

const CLEARS: { [Kind in QueueKind]: Act } = {
  post: (context, postId) => clearPostFlags(context, { postId }),
  comment: (context, commentId) => clearCommentFlags(context, { commentId }),
  story: (context, storyId) => clearStoryFlags(context, { storyId }),
  message: (context, messageId) => clearMessageFlags(context, { messageId }),
  user: (context, userId) => clearUserFlags(context, { userId }),
};

const DELETES: { [Kind in Exclude<QueueKind, 'user'>]: Act } = {
  post: (context, postId) => deletePost(context, { postId }),
  comment: (context, commentId) => deleteComment(context, { commentId }),
  story: (context, storyId) => deleteStory(context, { storyId }),
  message: (context, messageId) => deleteMessage(context, { messageId }),
};

async function banAuthor(
  context: Context,
  { authorId, communityId, channelId }: QueueItem,
  { reason, banFrom, banExpiresAt: expiresAt }: Decision,
): Promise<void> {
  const terms = { reason, expiresAt };
  if (banFrom === 'community') {
    if (communityId === null) throw wrongPlace('community');
    await banCommunityMembers(context, { communityId, userIds: [authorId], ...terms });
  } else if (banFrom === 'channel') {
    if (channelId === null) throw wrongPlace('channel');
    await banChannelMembers(context, { channelId, userIds: [authorId], ...terms });
  } else await banUser(context, { userId: authorId, ...terms });
}

function notApplicable(message: string): OperationError {
  return new OperationError('BAD_REQUEST', { message, path: ['action'] });
}

function wrongPlace(place: 'community' | 'channel'): OperationError {
  return new OperationError('INVALID_PARAMETERS', {
    detail: [`banFrom: the item is in no ${place}`],
    path: ['banFrom'],
  });
}
