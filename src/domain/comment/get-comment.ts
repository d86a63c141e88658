import { type Context, viewerOf } from '../../context.ts';
import { type MaybePromise, whenLoaded } from '../../lib/maybe-promise.ts';
import type { CommentRecord, PostRecord, StoryRecord } from '../../store/records/content.ts';
import type { RightPlace } from '../community/members/require-community-right.ts';
import { getPost } from '../post/get-post.ts';
import { getStory } from '../story/get-story.ts';
import { presentComments } from './visible-comments.ts';

/** The post or story that a comment is on; null when the viewer does not see it, and for `content`. */
export function getReference(
  context: Context,
  { referenceType, referenceId }: Pick<CommentRecord, 'referenceType' | 'referenceId'>,
): MaybePromise<PostRecord | StoryRecord | null> {
  if (referenceType === 'content') return null;
  return referenceType === 'story'
    ? getStory(context, { storyId: referenceId })
    : getPost(context, { postId: referenceId });
}

/** Whether the viewer sees the record that comments refer to. `content` is visible to everybody in the network. */
export function canSeeReference(
  context: Context,
  type: CommentRecord['referenceType'],
  id: string,
): MaybePromise<boolean> {
  if (type === 'content') return true;
  return whenLoaded(getReference(context, { referenceType: type, referenceId: id }), (found) => found !== null);
}

/** The community of a comment with the viewer's membership, for policy functions. */
export function placeOfComment(context: Context, { targetType, targetId }: CommentRecord): MaybePromise<RightPlace> {
  if (targetType !== 'community') return { community: null, membership: null };
  return whenLoaded(context.load.communityUsers.load([targetId, viewerOf(context).userId]), (membership) => ({
    community: { communityId: targetId },
    membership,
  }));
}

/** A comment; null when the viewer does not see what it refers to. */
export function getComment(context: Context, { commentId }: { commentId: string }): MaybePromise<CommentRecord | null> {
  viewerOf(context);
  return whenLoaded(context.load.comments.load(commentId), (comment) => {
    if (!comment) return null;
    return whenLoaded(canSeeReference(context, comment.referenceType, comment.referenceId), (isSeen) =>
      isSeen ? whenLoaded(presentComments(context, [comment]), ([presented]) => presented ?? null) : null,
    );
  });
}
