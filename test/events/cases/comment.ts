import type { Payload } from '../../support/mutate.ts';
import { createComment, createPost, createStory } from './content-fixtures.ts';
import type { EventCase, ExpectedEvent } from './event-case.ts';

const select = 'comment { commentId path }';
const commentEvent = (
  type: ExpectedEvent[0] & `comment.${string}`,
  { commentId, path }: { commentId: string; path: string },
) => [type, path, { commentId }] as ExpectedEvent;
const storyUpdated = ({ storyId, path }: { storyId: string; path: string }): ExpectedEvent => [
  'story.updated',
  path,
  { storyId },
];

export const COMMENT_CASES: EventCase[] = [
  {
    operation: 'createComment',
    situation: 'on a post',
    async prepare(context) {
      const { postId } = await createPost(context);
      const input = { referenceId: postId, data: { text: 'An example' }, mentionees: [{ userIds: ['alice'] }] };
      return { as: 'carol', input, select, events: ({ comment }) => [commentEvent('comment.created', comment)] };
    },
  },
  {
    operation: 'createComment',
    situation: 'in reply, on a story',
    async prepare(context) {
      const story = await createStory(context);
      const reference = { referenceType: 'STORY', referenceId: story.storyId };
      const { commentId } = await createComment(context, reference);
      const input = { ...reference, parentId: commentId, data: { text: 'An example' } };
      const events = ({ comment }: Payload) => [
        commentEvent('comment.created', comment),
        commentEvent('comment.replied', comment),
        storyUpdated(story),
      ];
      return { as: 'bob', input, select, events };
    },
  },
  {
    operation: 'createComment',
    situation: 'on a deleted post',
    async prepare(context) {
      const { postId } = await createPost(context);
      await context.mutate('bob', 'deletePost', { postId }, 'clientMutationId');
      return { as: 'carol', input: { referenceId: postId, data: { text: 'An example' } }, code: 'NOT_FOUND' };
    },
  },
  {
    operation: 'updateComment',
    situation: 'its text',
    async prepare(context) {
      const created = await createComment(context);
      const input = { commentId: created.commentId, data: { text: 'Better' } };
      return { as: 'bob', input, events: [commentEvent('comment.updated', created)] };
    },
  },
  {
    operation: 'updateComment',
    situation: 'without a change',
    async prepare(context) {
      const { commentId } = await createComment(context);
      return { as: 'bob', input: { commentId } };
    },
  },
  {
    operation: 'updateComment',
    situation: 'of another user',
    async prepare(context) {
      const { commentId } = await createComment(context);
      return { as: 'carol', input: { commentId, data: { text: 'Mine' } }, code: 'PERMISSION_DENIED' };
    },
  },
  {
    operation: 'deleteComment',
    situation: 'a comment with a reply, which remains',
    async prepare(context) {
      const { postId } = await createPost(context);
      const created = await createComment(context, { referenceId: postId });
      await createComment(context, { referenceId: postId, parentId: created.commentId });
      return { as: 'bob', input: { commentId: created.commentId }, events: [commentEvent('comment.deleted', created)] };
    },
  },
  {
    operation: 'deleteComment',
    situation: 'on a story',
    async prepare(context) {
      const story = await createStory(context);
      const created = await createComment(context, { referenceType: 'STORY', referenceId: story.storyId });
      const events = [commentEvent('comment.deleted', created), storyUpdated(story)];
      return { as: 'bob', input: { commentId: created.commentId }, events };
    },
  },
  {
    operation: 'deleteComment',
    situation: 'a deleted comment',
    async prepare(context) {
      const { commentId } = await createComment(context);
      await context.mutate('bob', 'deleteComment', { commentId }, 'clientMutationId');
      return { as: 'bob', input: { commentId }, code: 'NOT_FOUND' };
    },
  },
  {
    operation: 'deleteComment',
    situation: 'permanently',
    async prepare(context) {
      const created = await createComment(context);
      const input = { commentId: created.commentId, permanent: true };
      return { as: 'admin', input, events: [commentEvent('comment.deleted', created)] };
    },
  },
  {
    operation: 'deleteComment',
    situation: 'permanently, after it was deleted: no second event',
    async prepare(context) {
      const created = await createComment(context);
      await context.mutate('bob', 'deleteComment', { commentId: created.commentId }, 'clientMutationId');
      const input = { commentId: created.commentId, permanent: true };
      return { as: 'admin', input };
    },
  },
  {
    operation: 'deleteComment',
    situation: 'permanently, for the second time',
    async prepare(context) {
      const input = { commentId: (await createComment(context)).commentId, permanent: true };
      await context.mutate('admin', 'deleteComment', input, 'clientMutationId');
      return { as: 'admin', input };
    },
  },
];
