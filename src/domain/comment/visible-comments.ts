import { canModerateComments } from '../../access/comment.ts';
import { type Context, viewerOf } from '../../context.ts';
import { type MaybePromise, whenAllLoaded, whenLoaded } from '../../lib/maybe-promise.ts';
import type { CommentRecord } from '../../store/records/content.ts';
import { excludeBlockedAuthors } from '../user/blocks/without-blocked.ts';

/** The fields of a commented record that access needs. */
export interface Commented {
  targetType: CommentRecord['targetType'];
  targetId: string;
  comments: string[];
}

/** The newest comments of a post or story, by the ids it stores, as the viewer may see them. */
export function visibleComments(context: Context, commented: Commented): MaybePromise<CommentRecord[]> {
  return commentsByIds(context, commented.comments);
}

/** The newest replies to a comment, by the ids it stores, as the viewer may see them. */
export function visibleReplies(context: Context, comment: CommentRecord): MaybePromise<CommentRecord[]> {
  return commentsByIds(context, comment.children);
}

function commentsByIds(context: Context, commentIds: readonly string[]): MaybePromise<CommentRecord[]> {
  if (commentIds.length === 0) return [];
  return whenAllLoaded(
    commentIds.map((commentId) => context.load.comments.load(commentId)),
    (comments) =>
      shownComments(
        context,
        comments.filter((comment) => comment !== null),
      ),
  );
}

/**
 * As {@link presentComments}, without comments of users whom the viewer blocked, except where the viewer moderates.
 */
export function shownComments(context: Context, comments: CommentRecord[]): MaybePromise<CommentRecord[]> {
  const shown = excludeBlockedAuthors(context, comments, {
    authorOf: (comment) => comment.userId,
    isModerated: (comment) => moderates(context, comment),
  });
  return whenLoaded(shown, (left) => presentComments(context, left));
}

/**
 * Comments as the viewer may see them: only moderators read the content of deleted ones. The caller has checked that
 * the viewer sees the post or story.
 */
export function presentComments(context: Context, comments: CommentRecord[]): MaybePromise<CommentRecord[]> {
  if (!comments.some((comment) => comment.isDeleted)) return comments;
  return whenAllLoaded(
    comments.map((comment) =>
      comment.isDeleted
        ? whenLoaded(moderates(context, comment), (isModerator) => (isModerator ? comment : withoutContent(comment)))
        : comment,
    ),
    (presented) => presented,
  );
}

function moderates(context: Context, { targetType, targetId }: CommentRecord): MaybePromise<boolean> {
  const viewer = viewerOf(context);
  if (targetType !== 'community') return canModerateComments(viewer, { community: null, membership: null });
  return whenLoaded(context.load.communityUsers.load([targetId, viewer.userId]), (membership) =>
    canModerateComments(viewer, { community: {}, membership }),
  );
}

function withoutContent(comment: CommentRecord): CommentRecord {
  return { ...comment, data: {}, metadata: {}, mentionees: [], attachments: [] };
}
