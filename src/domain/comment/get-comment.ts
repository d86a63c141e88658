import type { CommentPlace } from '../../access/comment.ts';
import { type Context, viewerOf } from '../../context.ts';
import type { CommentRecord } from '../../store/records/content.ts';
import { getPost } from '../post/get-post.ts';
import { getStory } from '../story/get-story.ts';
import { presentComments } from './visible-comments.ts';

/** Whether the viewer sees the record that comments refer to. `content` is visible to everybody in the network. */
export async function canSeeReference(
  context: Context,
  type: CommentRecord['referenceType'],
  id: string,
): Promise<boolean> {
  if (type === 'content') return true;
  return (
    (type === 'story' ? await getStory(context, { storyId: id }) : await getPost(context, { postId: id })) !== null
  );
}

/** The community of a comment with the viewer's membership, for policy functions. */
export async function placeOfComment(context: Context, { targetType, targetId }: CommentRecord): Promise<CommentPlace> {
  if (targetType !== 'community') return { community: null, membership: null };
  const membership = await context.load.communityUsers.load([targetId, viewerOf(context).userId]);
  return { community: { communityId: targetId }, membership };
}

/** A comment; null when the viewer does not see what it refers to. */
export async function getComment(
  context: Context,
  { commentId }: { commentId: string },
): Promise<CommentRecord | null> {
  viewerOf(context);
  const comment = await context.load.comments.load(commentId);
  if (!comment || !(await canSeeReference(context, comment.referenceType, comment.referenceId))) return null;
  return (await presentComments(context, [comment]))[0] ?? null;
}
