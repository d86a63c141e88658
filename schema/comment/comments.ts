import { getComment } from '../../src/domain/comment/get-comment.ts';
import { type CommentFilter, commentsOf, commentsUnder, listComments } from '../../src/domain/comment/list-comments.ts';
import { builder } from '../builder.ts';
import { Post } from '../post/post.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { connectionType, SKIP } from '../shared/connection-type.ts';
import { MAX_IDS, recordsByIds } from '../shared/ids.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { Story } from '../story/story.ts';
import { Comment, CommentReferenceType } from './comment.ts';

const CommentConnection = connectionType(Comment, 'comments');
const CommentSort = restEnum('CommentSort', 'Sort order of comments.', {
  firstCreated: 'Oldest first, by creation time. Default.',
  lastCreated: 'Newest first, by creation time.',
  firstUpdated: 'Least recently updated first.',
  lastUpdated: 'Most recently updated first.',
});
const MatchType = restEnum(
  'CommentDataTypesMatch',
  'Comparison of the kinds of content of a comment with the requested ones.',
  {
    any: 'The comment has at least one of the requested kinds. Default.',
    exact: 'The comment has all of the requested kinds and no other.',
  },
);

const DataTypesFilter = builder.inputType('CommentDataTypesFilter', {
  description: 'Chooses comments by what they hold.',
  fields: (t) => ({
    values: t.stringList({ required: true, description: 'Kinds of content: `text`, `image`.' }),
    matchType: t.field({ type: MatchType, description: 'At least one of the kinds (the default), or exactly these.' }),
  }),
});

const CommentFilterInput = builder.inputType('CommentFilter', {
  description: 'Chooses comments.',
  fields: (t) => ({
    parentId: t.string({
      description: 'The comment whose direct replies are asked for; top-level comments without it.',
    }),
    filterByParentId: t.boolean({
      description: 'Whether `parentId` counts, as it does unless told; off, comments and replies come together.',
    }),
    hasFlag: t.boolean({ description: 'Flagged ones only.' }),
    isDeleted: t.boolean({ description: 'Deleted ones only, or live ones only; both without it.' }),
    dataTypes: t.field({ type: DataTypesFilter, description: 'By what they hold.' }),
    afterSegment: t.int({ description: 'Only those after this `segmentNumber`; in the order FIRST_CREATED.' }),
    beforeSegment: t.int({ description: 'Only those before this `segmentNumber`; in the order FIRST_CREATED.' }),
  }),
});

const SORT = { type: CommentSort, required: true, defaultValue: 'firstCreated', description: 'The order.' } as const;

builder.objectField(Post, 'comments', (t) =>
  t.connection(
    {
      type: Comment,
      description: 'Its comments; the top-level ones unless the filter says otherwise.',
      args: {
        filter: t.arg({ type: CommentFilterInput, description: 'Which comments.' }),
        sortBy: t.arg(SORT),
      },
      resolve: async ({ postId, isDeleted }, { filter, sortBy, ...args }, context) => {
        const reference = { referenceType: 'post', referenceId: postId, isDeleted } as const;
        const query: CommentFilter = { ...filter, sortBy, request: pageRequest(args) };
        return toConnection(await commentsUnder(context, reference, query));
      },
    },
    CommentConnection,
  ),
);

builder.objectField(Story, 'comments', (t) =>
  t.connection(
    {
      type: Comment,
      description: 'Its comments; the top-level ones unless the filter says otherwise.',
      args: {
        filter: t.arg({ type: CommentFilterInput, description: 'Which comments.' }),
        sortBy: t.arg(SORT),
      },
      resolve: async ({ storyId, isDeleted }, { filter, sortBy, ...args }, context) => {
        const reference = { referenceType: 'story', referenceId: storyId, isDeleted } as const;
        const query: CommentFilter = { ...filter, sortBy, request: pageRequest(args) };
        return toConnection(await commentsUnder(context, reference, query));
      },
    },
    CommentConnection,
  ),
);

builder.objectField(Comment, 'replies', (t) =>
  t.connection(
    {
      type: Comment,
      description: 'Its direct replies.',
      args: { sortBy: t.arg(SORT) },
      resolve: async ({ commentId, referenceType, referenceId }, { sortBy, ...args }, context) => {
        const query: CommentFilter = { parentId: commentId, sortBy, request: pageRequest(args) };
        return toConnection(await commentsOf(context, { referenceType, referenceId }, query));
      },
    },
    CommentConnection,
  ),
);

builder.queryField('comments', (t) =>
  t.connection(
    {
      type: Comment,
      description:
        'The comments of a post, story or content, or the replies to a comment; without both, every comment in the network that the viewer sees.',
      args: {
        referenceType: t.arg({ type: CommentReferenceType, description: 'What they refer to; a post without it.' }),
        referenceId: t.arg.string({ description: 'Public id of what they refer to.' }),
        filter: t.arg({ type: CommentFilterInput, description: 'Which comments.' }),
        sortBy: t.arg(SORT),
        skip: t.arg.int({ description: SKIP }),
      },
      resolve: async (_, { referenceType, referenceId, filter, sortBy, ...args }, context) => {
        const query = { referenceType, referenceId, ...filter, sortBy, request: pageRequest(args) };
        return toConnection(await listComments(context, query));
      },
    },
    CommentConnection,
  ),
);

builder.queryField('commentsByIds', (t) =>
  t.field({
    type: [Comment],
    description: 'The comments behind public ids that the viewer sees, in the order asked.',
    args: { commentIds: t.arg.stringList({ required: true, description: `Public ids, ${MAX_IDS} at most.` }) },
    resolve: (_, { commentIds }, context) =>
      recordsByIds(commentIds, (commentId) => getComment(context, { commentId })),
  }),
);
