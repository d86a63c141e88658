import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import type { CommentRecord } from '../../store/records/content.ts';
import type { TransactionOptions } from '../../store/transaction.ts';
import type { CommentChange } from '../engagement/count-comment.ts';
import { lockFor } from '../lock-for.ts';
import { commentablePost, countCommentOnPost, markCommentedPost } from '../post/engagement/commented-post.ts';
import { commentableStory, countCommentOnStory, markCommentedStory } from '../story/commented-story.ts';
import type { Reference } from './list-comments.ts';

/** Fields that a comment copies from the record it refers to. */
export type Commentable = Pick<CommentRecord, 'targetType' | 'targetId'> & { path: string };

/**
 * Loads the record that a comment refers to. `content` is stored by the application and exists under any id.
 * @throws {OperationError} NOT_FOUND when the viewer does not see it; the error of its resource when it accepts no
 *   comments
 */
export async function commentable(context: Context, { referenceType, referenceId }: Reference): Promise<Commentable> {
  if (referenceType === 'post') return commentablePost(context, referenceId);
  if (referenceType === 'story') return commentableStory(context, referenceId);
  const { networkId } = viewerOf(context);
  return { targetType: 'content', targetId: referenceId, path: `${networkId}/social/content/${referenceId}` };
}

/**
 * Counts a comment on its post or story; `content` has no counters.
 * @throws {OperationError} NOT_FOUND when a comment is added and the record was deleted meanwhile
 */
export async function countOnReference(
  context: Context,
  session: ClientSession,
  { referenceType, referenceId, ...change }: Reference & CommentChange,
): Promise<void> {
  if (referenceType === 'post') await countCommentOnPost(context, session, { postId: referenceId, ...change });
  if (referenceType === 'story') await countCommentOnStory(context, session, { storyId: referenceId, ...change });
}

/** Sets whether a post or story has a flagged comment. */
export async function markReference(
  context: Context,
  session: ClientSession,
  { referenceType, referenceId, hasFlaggedComment }: Reference & { hasFlaggedComment: boolean },
): Promise<void> {
  if (referenceType === 'post') await markCommentedPost(context, session, { postId: referenceId, hasFlaggedComment });
  if (referenceType === 'story')
    await markCommentedStory(context, session, { storyId: referenceId, hasFlaggedComment });
}

/** The lock for adding and removing comments, which all update the same counters. */
export function commentsLock(context: Context, { referenceType, referenceId }: Reference): TransactionOptions {
  return lockFor(context, referenceType === 'content' ? 'record' : referenceType, referenceId);
}

/** Clears a comment, its parent and its reference from the loaders of the request. */
export function invalidateComment({ load, viewer }: Context, comment: CommentRecord): void {
  const { commentId, parentId, referenceType, referenceId, targetType, targetId } = comment;
  load.comments.clear(commentId);
  if (parentId) load.comments.clear(parentId);
  if (referenceType === 'post') load.posts.clear(referenceId);
  if (referenceType === 'story') load.stories.clear(referenceId);
  if (targetType === 'community') load.communities.clear(targetId);
  if (viewer) load.myFlags.clear([commentId, viewer.userId]);
}
