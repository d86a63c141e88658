import { canDeleteComment, canEditComment, canModerateComments } from '../../src/access/comment.ts';
import { viewerOf } from '../../src/context.ts';
import { isCommentFlagged, isCommentFlaggedByViewer } from '../../src/domain/comment/flag-comment.ts';
import { placeOfComment } from '../../src/domain/comment/get-comment.ts';
import { builder } from '../builder.ts';
import { Comment } from './comment.ts';

builder.objectFields(Comment, (t) => ({
  isFlaggedByViewer: t.boolean({
    description: 'Whether the viewer has flagged it.',
    resolve: (comment, _, context) => isCommentFlaggedByViewer(context, comment),
  }),
  viewerCanEdit: t.boolean({
    description: 'Whether the viewer can update it.',
    resolve: async (comment, _, context) =>
      !comment.isDeleted && canEditComment(viewerOf(context), comment, await placeOfComment(context, comment)),
  }),
  viewerCanDelete: t.boolean({
    description: 'Whether the viewer can delete it.',
    resolve: async (comment, _, context) =>
      !comment.isDeleted && canDeleteComment(viewerOf(context), comment, await placeOfComment(context, comment)),
  }),
  viewerCanModerate: t.boolean({
    description: 'Whether the viewer can moderate comments there.',
    resolve: async (comment, _, context) =>
      canModerateComments(viewerOf(context), await placeOfComment(context, comment)),
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
