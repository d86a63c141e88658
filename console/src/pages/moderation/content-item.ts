import {
  ApprovePostDocument,
  ClearCommentFlagsDocument,
  ClearPostFlagsDocument,
  type CommentsQuery,
  DeclinePostDocument,
  DeleteCommentDocument,
  DeletePostDocument,
  type PostRowFragment,
} from '../../../generated/operations.ts';
import { execute } from '../../api/execute.ts';
import type { PersonProps } from '../../ui/person.tsx';
import type { Act } from './acts.ts';

/** A post or comment with the acts that the viewer may take, as the moderation queue and the content browser show it. */
export interface ContentItem extends Partial<Record<Act['name'], () => Promise<unknown>>> {
  id: string;
  kind: 'Post' | 'Comment';
  text: string;
  createdAt: string;
  flagCount: number;
  author: PersonProps['person'];
  community: { communityId: string; displayName: string } | null;
}

export function postItem({
  postId,
  data,
  dataType,
  feedType,
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
    ...(viewerCanModerate &&
      feedType === 'REVIEWING' && {
        approve: () => execute(ApprovePostDocument, { input }),
        decline: () => execute(DeclinePostDocument, { input }),
      }),
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
