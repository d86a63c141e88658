import { canDeleteComment, canEditComment, canModerateComments } from '../../src/access/comment.ts';
import { viewerOf } from '../../src/context.ts';
import { isCommentFlagged, isCommentFlaggedByViewer } from '../../src/domain/comment/flag-comment.ts';
import { placeOfComment } from '../../src/domain/comment/get-comment.ts';
import { whenLoaded } from '../../src/lib/maybe-promise.ts';
import { builder } from '../builder.ts';
import { Comment } from './comment.ts';

builder.objectFields(Comment, (t) => ({
  isFlaggedByViewer: t.boolean({
    description: 'Whether the viewer has flagged it.',
    resolve: (comment, _, context) => isCommentFlaggedByViewer(context, comment),
  }),
  viewerCanEdit: t.boolean({
    description: 'Whether the viewer can update it.',
    resolve: (comment, _, context) =>
      !comment.isDeleted &&
      whenLoaded(placeOfComment(context, comment), (place) => canEditComment(viewerOf(context), comment, place)),
  }),
  viewerCanDelete: t.boolean({
    description: 'Whether the viewer can delete it.',
    resolve: (comment, _, context) =>
      !comment.isDeleted &&
      whenLoaded(placeOfComment(context, comment), (place) => canDeleteComment(viewerOf(context), comment, place)),
  }),
  viewerCanModerate: t.boolean({
    description: 'Whether the viewer can moderate comments there.',
    resolve: (comment, _, context) =>
      whenLoaded(placeOfComment(context, comment), (place) => canModerateComments(viewerOf(context), place)),
  }),
}));

builder.queryField('isCommentFlagged', (t) =>
  t.boolean({
    description:
      'Whether the viewer has flagged a comment. `NOT_FOUND` if it does not exist or the viewer cannot see it.',
    args: { commentId: t.arg.string({ required: true, description: 'Public id of the comment.' }) },
    resolve: (_, args, context) => isCommentFlagged(context, args),
  }),
);
