import {
  ClearCommentFlagsDocument,
  ClearPostFlagsDocument,
  type CommentsQuery,
  DeleteCommentDocument,
  DeletePostDocument,
  type PostRowFragment,
} from '../../../generated/operations.ts';
import { execute } from '../../api/execute.ts';
import type { PersonProps } from '../../ui/person.tsx';

/** A post or comment, as the moderation queue and the content browser show it. */
export interface ContentItem {
  id: string;
  kind: 'Post' | 'Comment';
  text: string;
  createdAt: string;
  flagCount: number;
  author: PersonProps['person'];
  community: { communityId: string; displayName: string } | null;
  /** Absent if the viewer may not. */
  clearFlags?(): Promise<unknown>;
  remove?(): Promise<unknown>;
}

export function postItem({
  postId,
  data,
  dataType,
  viewerCanDelete,
  viewerCanModerate,
  ...post
}: PostRowFragment): ContentItem {
  const input = { postId };
  return {
    ...post,
    kind: 'Post',
    text: [data.title, data.text].filter(Boolean).join(': ') || `A post of type ${dataType}`,
    ...(viewerCanModerate && post.flagCount > 0 && { clearFlags: () => execute(ClearPostFlagsDocument, { input }) }),
    ...(viewerCanDelete && { remove: () => execute(DeletePostDocument, { input }) }),
  };
}

type CommentRow = CommentsQuery['comments']['edges'][number]['node'];

export function commentItem({
  commentId,
  data,
  viewerCanDelete,
  viewerCanModerate,
  ...comment
}: CommentRow): ContentItem {
  const input = { commentId };
  return {
    ...comment,
    kind: 'Comment',
    text: typeof data.text === 'string' ? data.text : 'A comment without text',
    community: null,
    ...(viewerCanModerate &&
      comment.flagCount > 0 && { clearFlags: () => execute(ClearCommentFlagsDocument, { input }) }),
    ...(viewerCanDelete && { remove: () => execute(DeleteCommentDocument, { input }) }),
  };
}
