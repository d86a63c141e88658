import type { CommentRecord } from '../../../src/store/records/content.ts';
import { PLACE_IDS } from '../actors.ts';
import { createComment, createPost, markFlagged } from '../content.ts';
import type { Fixtures, RestRequest, Variables } from '../fixtures.ts';
import { emptyIn, type MatrixCase, mutationCase } from '../matrix-case.ts';
import { createUserPost } from '../social-content.ts';

type CreateRecord = (fixtures: Fixtures) => Promise<CommentRecord>;

const inPublic: CreateRecord = async (fixtures) =>
  createComment(fixtures, await createPost(fixtures, PLACE_IDS.community));
const inPrivate: CreateRecord = async (fixtures) =>
  createComment(fixtures, await createPost(fixtures, PLACE_IDS.privateCommunity));
const onFeed: CreateRecord = async (fixtures) => createComment(fixtures, await createUserPost(fixtures));
const select = 'comment { commentId }';
const isEmpty = (answer: unknown): boolean => (answer as unknown[]).length === 0;
const hasNoEdge = (answer: unknown): boolean => (answer as { edges: unknown[] }).edges.length === 0;

function ofComment(
  operation: string,
  situation: string,
  createRecord: CreateRecord,
  { input = {}, rest }: { input?: object; rest?: (commentId: string, input: object) => RestRequest } = {},
): MatrixCase {
  return mutationCase(operation, situation, {
    select,
    prepare: async (fixtures) => {
      const { commentId } = await createRecord(fixtures);
      if (operation.startsWith('clear')) await markFlagged(fixtures, 'comments', { commentId });
      return { commentId, ...input };
    },
    ...(rest && { rest: ({ input }) => rest((input as { commentId: string }).commentId, input as object) }),
  });
}

/** A query of one comment by its id. */
const query = (
  operation: string,
  situation: string,
  createRecord: CreateRecord,
  more: Partial<MatrixCase> = {},
): MatrixCase => ({
  operation,
  situation,
  document: `query ($commentId: String!) { answer: ${operation}(commentId: $commentId) ${operation === 'comment' ? '{ commentId }' : ''} }`,
  prepare: async (fixtures) => ({ commentId: (await createRecord(fixtures)).commentId }),
  ...more,
});

const readOne = {
  rest: ({ commentId }: Variables): RestRequest => ({ method: 'GET', path: `/api/v3/comments/${commentId}` }),
};
const isFlagged = {
  rest: ({ commentId }: Variables): RestRequest => ({
    method: 'GET',
    path: `/api/v3/comments/${commentId}/isflagbyme`,
  }),
};

const list = (situation: string, createRecord: CreateRecord): MatrixCase => ({
  operation: 'comments',
  situation,
  document:
    'query ($referenceId: String!) { answer: comments(referenceId: $referenceId) { edges { node { commentId } } } }',
  prepare: async (fixtures) => ({ referenceId: (await createRecord(fixtures)).referenceId }),
  isAbsent: hasNoEdge,
  isAbsentInRest: emptyIn('comments'),
  rest: ({ referenceId }) => ({
    method: 'GET',
    path: `/api/v3/comments?referenceType=post&referenceId=${referenceId}`,
  }),
});

const byIds = (situation: string, createRecord: CreateRecord): MatrixCase => ({
  operation: 'commentsByIds',
  situation,
  document: 'query ($commentIds: [String!]!) { answer: commentsByIds(commentIds: $commentIds) { commentId } }',
  prepare: async (fixtures) => ({ commentIds: [(await createRecord(fixtures)).commentId] }),
  isAbsent: isEmpty,
  isAbsentInRest: emptyIn('comments'),
  rest: ({ commentIds }) => ({ method: 'GET', path: `/api/v3/comments/list?commentIds=${commentIds}` }),
});

const creation = (situation: string, targetOf: (fixtures: Fixtures) => Promise<object>): MatrixCase =>
  mutationCase('createComment', situation, {
    select,
    prepare: async (fixtures) => ({ ...(await targetOf(fixtures)), data: { text: 'Hello' } }),
    rest({ input }) {
      const { referenceType = 'POST', ...body } = input as Variables;
      return {
        method: 'POST',
        path: '/api/v3/comments',
        body: { ...body, referenceType: String(referenceType).toLowerCase() },
      };
    },
  });

const update = {
  input: { data: { text: 'Better' } },
  rest: (id: string, body: object): RestRequest => ({ method: 'PUT', path: `/api/v3/comments/${id}`, body }),
};
const deletion = (input = {}) => ({
  input,
  rest: (id: string, body: object): RestRequest => ({ method: 'DELETE', path: `/api/v4/comments/${id}`, body }),
});
const flag = { rest: (id: string): RestRequest => ({ method: 'POST', path: `/api/v3/comments/${id}/flag` }) };
const unflag = { rest: (id: string): RestRequest => ({ method: 'DELETE', path: `/api/v3/comments/${id}/unflag` }) };

export const COMMENT_CASES: MatrixCase[] = [
  query('comment', 'in a public community', inPublic, readOne),
  query('comment', 'in a private community', inPrivate, readOne),
  query('comment', 'on a user’s feed', onFeed, readOne),
  query('isCommentFlagged', 'in a public community', inPublic, isFlagged),
  query('isCommentFlagged', 'in a private community', inPrivate, isFlagged),
  list('in a public community', inPublic),
  list('in a private community', inPrivate),
  byIds('in a public community', inPublic),
  byIds('in a private community', inPrivate),
  creation('on a post in a public community', async (fixtures) => ({
    referenceId: (await createPost(fixtures, PLACE_IDS.community)).postId,
  })),
  creation('on a post in a private community', async (fixtures) => ({
    referenceId: (await createPost(fixtures, PLACE_IDS.privateCommunity)).postId,
  })),
  creation('on a user’s feed', async (fixtures) => ({ referenceId: (await createUserPost(fixtures)).postId })),
  creation('in reply, in a private community', async (fixtures) => {
    const { referenceId, commentId } = await inPrivate(fixtures);
    return { referenceId, parentId: commentId };
  }),
  creation('on content of the application', async (fixtures) => ({
    referenceType: 'CONTENT',
    referenceId: fixtures.uniqueId('article'),
  })),
  ofComment('updateComment', 'of `author` in a public community', inPublic, update),
  ofComment('updateComment', 'of `author` in a private community', inPrivate, update),
  ofComment('updateComment', 'of `author` on a user’s feed', onFeed, update),
  ofComment('deleteComment', 'of `author` in a public community', inPublic, deletion()),
  ofComment('deleteComment', 'of `author` in a private community', inPrivate, deletion()),
  ofComment('deleteComment', 'of `author` on a user’s feed', onFeed, deletion()),
  ofComment('deleteComment', 'permanently', inPublic, deletion({ permanent: true })),
  ofComment('flagComment', 'in a public community', inPublic, flag),
  ofComment('flagComment', 'in a private community', inPrivate, flag),
  ofComment('unflagComment', 'in a public community', inPublic, unflag),
  ofComment('unflagComment', 'in a private community', inPrivate, unflag),
  ofComment('clearCommentFlags', 'in a public community', inPublic),
  ofComment('clearCommentFlags', 'in a private community', inPrivate),
  ofComment('clearCommentFlags', 'on a user’s feed', onFeed),
];
