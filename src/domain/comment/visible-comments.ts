import { canModerateComments } from '../../access/comment.ts';
import { type Context, viewerOf } from '../../context.ts';
import type { CommunityUserRecord } from '../../store/records/community.ts';
import type { CommentRecord } from '../../store/records/content.ts';
import { excludeBlockedAuthors } from '../user/blocks/without-blocked.ts';

/** The fields of a commented record that access needs. */
export interface Commented {
  targetType: CommentRecord['targetType'];
  targetId: string;
  comments: string[];
}

/** The newest comments of a post or story, by the ids it stores, as the viewer may see them. */
export async function visibleComments(context: Context, commented: Commented): Promise<CommentRecord[]> {
  if (commented.comments.length === 0) return [];
  const comments = await Promise.all(commented.comments.map((commentId) => context.load.comments.load(commentId)));
  return shownComments(
    context,
    comments.filter((comment) => comment !== null),
  );
}

/** The newest replies to a comment, by the ids it stores, as the viewer may see them. */
export async function visibleReplies(context: Context, comment: CommentRecord): Promise<CommentRecord[]> {
  if (comment.children.length === 0) return [];
  const replies = await Promise.all(comment.children.map((commentId) => context.load.comments.load(commentId)));
  return shownComments(
    context,
    replies.filter((reply) => reply !== null),
  );
}

/**
 * As {@link presentComments}, without comments of users whom the viewer blocked, except where the viewer moderates.
 */
export async function shownComments(context: Context, comments: CommentRecord[]): Promise<CommentRecord[]> {
  const shown = await excludeBlockedAuthors(context, comments, {
    authorOf: (comment) => comment.userId,
    isModerated: (comment) => moderates(context, comment),
  });
  return presentComments(context, shown);
}

/**
 * Comments as the viewer may see them: only moderators read the content of deleted ones. The caller has checked that
 * the viewer sees the post or story.
 */
export async function presentComments(context: Context, comments: CommentRecord[]): Promise<CommentRecord[]> {
  if (!comments.some((comment) => comment.isDeleted)) return comments;
  return Promise.all(
    comments.map(async (comment) =>
      !comment.isDeleted || (await moderates(context, comment)) ? comment : withoutContent(comment),
    ),
  );
}

async function moderates(context: Context, { targetType, targetId }: CommentRecord): Promise<boolean> {
  const viewer = viewerOf(context);
  const inCommunity = targetType === 'community';
  const membership: CommunityUserRecord | null = inCommunity
    ? await context.load.communityUsers.load([targetId, viewer.userId])
    : null;
  return canModerateComments(viewer, { community: inCommunity ? {} : null, membership });
}

function withoutContent(comment: CommentRecord): CommentRecord {
  return { ...comment, data: {}, metadata: {}, mentionees: [], attachments: [] };
}
