import { getComment, getReference } from '../../src/domain/comment/get-comment.ts';
import { type CommentFilter, commentsOf, commentsUnder, listComments } from '../../src/domain/comment/list-comments.ts';
import { MAX_IDS, recordsByIds } from '../../src/domain/records-by-ids.ts';
import { builder } from '../builder.ts';
import { Post } from '../post/post.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { connectionType, SKIP } from '../shared/connection-type.ts';
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
  description: 'Filter of comments by kind of content.',
  fields: (t) => ({
    values: t.stringList({ required: true, description: 'Kinds of content: `text`, `image`.' }),
    matchType: t.field({ type: MatchType, description: 'Comparison with the kinds of a comment; `ANY` by default.' }),
  }),
});

const CommentFilterInput = builder.inputType('CommentFilter', {
  description: 'Filter of comments.',
  fields: (t) => ({
    parentId: t.string({
      description: 'Public id of the comment whose direct replies are listed; top-level comments by default.',
    }),
    filterByParentId: t.boolean({
      description: 'Whether to filter by `parentId`. Default: true; false lists comments and replies together.',
    }),
    hasFlag: t.boolean({ description: 'Whether to list only flagged comments.' }),
    isDeleted: t.boolean({
      description: 'Whether to list deleted comments (true) or existing ones (false). Default: both.',
    }),
    dataTypes: t.field({ type: DataTypesFilter, description: 'Filter by kind of content.' }),
    afterSegment: t.int({
      description:
        'Only comments after this `segmentNumber`; requires the comments of one record and the sort order FIRST_CREATED.',
    }),
    beforeSegment: t.int({
      description:
        'Only comments before this `segmentNumber`; requires the comments of one record and the sort order FIRST_CREATED.',
    }),
  }),
});

const SORT = { type: CommentSort, required: true, defaultValue: 'firstCreated', description: 'Sort order.' } as const;

builder.objectField(Post, 'comments', (t) =>
  t.connection(
    {
      type: Comment,
      description: 'Comments on it; by default the top-level ones.',
      args: {
        filter: t.arg({ type: CommentFilterInput, description: 'Filter of the comments.' }),
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
      description: 'Comments on it; by default the top-level ones.',
      args: {
        filter: t.arg({ type: CommentFilterInput, description: 'Filter of the comments.' }),
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

const CommentReference = builder.unionType('CommentReference', {
  description: 'A record that comments are on.',
  types: [Post, Story],
  resolveType: (record) => ('storyId' in record ? 'Story' : 'Post'),
});

builder.objectField(Comment, 'reference', (t) =>
  t.field({
    type: CommentReference,
    nullable: true,
    description:
      'The post or story that the comment is on, with its number of comments; null for content of the application, or if the viewer cannot see it.',
    resolve: (comment, _, context) => getReference(context, comment),
  }),
);

builder.objectField(Comment, 'replies', (t) =>
  t.connection(
    {
      type: Comment,
      description: 'Direct replies to it.',
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
        'Comments on a post, a story or content of the application, or replies to a comment. Without `referenceId` and `parentId`, all comments of the network that the viewer can see.',
      args: {
        referenceType: t.arg({
          type: CommentReferenceType,
          description: 'Kind of record that the comments are on; a post by default.',
        }),
        referenceId: t.arg.string({ description: 'Public id of the record that the comments are on.' }),
        filter: t.arg({ type: CommentFilterInput, description: 'Filter of the comments.' }),
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
    description:
      'Comments by their public ids, in the order of the ids. Comments that the viewer cannot see are omitted.',
    args: {
      commentIds: t.arg.stringList({ required: true, description: `Public ids of comments, at most ${MAX_IDS}.` }),
    },
    resolve: (_, { commentIds }, context) =>
      recordsByIds(commentIds, { name: 'commentIds' }, (commentId) => getComment(context, { commentId })),
  }),
);
