import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import type { CommentRecord } from '../../store/records/content.ts';
import type { TransactionOptions } from '../../store/transaction.ts';
import { lockFor } from '../lock-for.ts';
import { commentablePost, countCommentOnPost, markCommentedPost } from '../post/engagement/commented-post.ts';
import { commentableStory, countCommentOnStory, markCommentedStory } from '../story/commented-story.ts';
import type { CommentChange } from './count-comment.ts';
import type { Reference } from './list-comments.ts';

/** What a comment takes from that which it refers to. */
export type Commentable = Pick<CommentRecord, 'targetType' | 'targetId'> & { path: string };

/**
 * Finds what a comment is to be on. Content is kept by the application, which gave it an id of its own.
 * @throws {OperationError} NOT_FOUND when it is absent or not to be seen; what its noun says when it takes no comments
 */
export async function commentable(context: Context, { referenceType, referenceId }: Reference): Promise<Commentable> {
  if (referenceType === 'post') return commentablePost(context, referenceId);
  if (referenceType === 'story') return commentableStory(context, referenceId);
  const { networkId } = viewerOf(context);
  return { targetType: 'content', targetId: referenceId, path: `${networkId}/social/content/${referenceId}` };
}

/**
 * Counts a comment where it stands; content counts nothing.
 * @throws {OperationError} NOT_FOUND when a comment comes and what it is on was deleted meanwhile
 */
export async function countOnReference(
  context: Context,
  session: ClientSession,
  { referenceType, referenceId, ...change }: Reference & CommentChange,
): Promise<void> {
  if (referenceType === 'post') await countCommentOnPost(context, session, { postId: referenceId, ...change });
  if (referenceType === 'story') await countCommentOnStory(context, session, { storyId: referenceId, ...change });
}

/** Tells a post or story whether a comment on it is flagged. */
export async function markReference(
  context: Context,
  session: ClientSession,
  { referenceType, referenceId, hasFlaggedComment }: Reference & { hasFlaggedComment: boolean },
): Promise<void> {
  if (referenceType === 'post') await markCommentedPost(context, session, { postId: referenceId, hasFlaggedComment });
  if (referenceType === 'story')
    await markCommentedStory(context, session, { storyId: referenceId, hasFlaggedComment });
}

/** Every comment that comes or goes is counted by what it refers to. */
export function commentsLock(context: Context, { referenceType, referenceId }: Reference): TransactionOptions {
  return lockFor(context, referenceType === 'content' ? 'record' : referenceType, referenceId);
}

/** What this request had read of a comment and of what is above it is read anew. */
export function invalidateComment({ load, viewer }: Context, comment: CommentRecord): void {
  const { commentId, parentId, referenceType, referenceId, targetType, targetId } = comment;
  load.comments.clear(commentId);
  if (parentId) load.comments.clear(parentId);
  if (referenceType === 'post') load.posts.clear(referenceId);
  if (referenceType === 'story') load.stories.clear(referenceId);
  if (targetType === 'community') load.communities.clear(targetId);
  if (viewer) load.myFlags.clear([commentId, viewer.userId]);
}
