import type { Payload } from '../../support/mutate.ts';
import { newComment, newPost, newStory } from './made.ts';
import type { EventRow, Expected } from './row.ts';

const select = 'comment { commentId path }';
const of = (type: Expected[0] & `comment.${string}`, { commentId, path }: { commentId: string; path: string }) =>
  [type, path, { commentId }] as Expected;

export const COMMENT_ROWS: EventRow[] = [
  {
    operation: 'createComment',
    situation: 'on a post',
    async prepare(world) {
      const { postId } = await newPost(world);
      const input = { referenceId: postId, data: { text: 'A row' }, mentionees: [{ userIds: ['alice'] }] };
      return { as: 'carol', input, select, events: ({ comment }) => [of('comment.created', comment)] };
    },
  },
  {
    operation: 'createComment',
    situation: 'in reply, on a story',
    async prepare(world) {
      const reference = { referenceType: 'STORY', referenceId: (await newStory(world)).storyId };
      const { commentId } = await newComment(world, reference);
      const input = { ...reference, parentId: commentId, data: { text: 'A row' } };
      const events = ({ comment }: Payload) => [of('comment.created', comment), of('comment.replied', comment)];
      return { as: 'bob', input, select, events };
    },
  },
  {
    operation: 'createComment',
    situation: 'on a post that is gone',
    async prepare(world) {
      const { postId } = await newPost(world);
      await world.make('bob', 'deletePost', { postId }, 'clientMutationId');
      return { as: 'carol', input: { referenceId: postId, data: { text: 'A row' } }, code: 'NOT_FOUND' };
    },
  },
  {
    operation: 'updateComment',
    situation: 'another text',
    async prepare(world) {
      const made = await newComment(world);
      const input = { commentId: made.commentId, data: { text: 'Better' } };
      return { as: 'bob', input, events: [of('comment.updated', made)] };
    },
  },
  {
    operation: 'updateComment',
    situation: 'nothing is named',
    async prepare(world) {
      const { commentId } = await newComment(world);
      return { as: 'bob', input: { commentId } };
    },
  },
  {
    operation: 'updateComment',
    situation: 'of another user',
    async prepare(world) {
      const { commentId } = await newComment(world);
      return { as: 'carol', input: { commentId, data: { text: 'Mine' } }, code: 'PERMISSION_DENIED' };
    },
  },
  {
    operation: 'deleteComment',
    situation: 'one with a reply, which stays',
    async prepare(world) {
      const { postId } = await newPost(world);
      const made = await newComment(world, { referenceId: postId });
      await newComment(world, { referenceId: postId, parentId: made.commentId });
      return { as: 'bob', input: { commentId: made.commentId }, events: [of('comment.deleted', made)] };
    },
  },
  {
    operation: 'deleteComment',
    situation: 'one that is deleted',
    async prepare(world) {
      const { commentId } = await newComment(world);
      await world.make('bob', 'deleteComment', { commentId }, 'clientMutationId');
      return { as: 'bob', input: { commentId }, code: 'NOT_FOUND' };
    },
  },
  {
    operation: 'deleteComment',
    situation: 'for good, at once',
    async prepare(world) {
      const made = await newComment(world);
      const input = { commentId: made.commentId, permanent: true };
      return { as: 'admin', input, events: [of('comment.deleted', made)] };
    },
  },
  {
    operation: 'deleteComment',
    situation: 'for good, after it was deleted: it has gone already',
    async prepare(world) {
      const made = await newComment(world);
      await world.make('bob', 'deleteComment', { commentId: made.commentId }, 'clientMutationId');
      const input = { commentId: made.commentId, permanent: true };
      return { as: 'admin', input };
    },
  },
  {
    operation: 'deleteComment',
    situation: 'for good, for the second time',
    async prepare(world) {
      const input = { commentId: (await newComment(world)).commentId, permanent: true };
      await world.make('admin', 'deleteComment', input, 'clientMutationId');
      return { as: 'admin', input };
    },
  },
];
