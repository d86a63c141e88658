import { newIllustratedPost, newPost, newWaitingPost, ofPost } from './made.ts';
import type { EventRow } from './row.ts';

/** Reviews, pins and the deletion of posts. */
export const POST_END_ROWS: EventRow[] = [
  {
    operation: 'approvePost',
    situation: 'one that mentions nobody',
    async prepare(world) {
      const made = await newWaitingPost(world);
      return { as: 'frank', input: { postId: made.postId }, events: [ofPost('post.approved', made)] };
    },
  },
  {
    operation: 'approvePost',
    situation: 'one that mentions a user: now that user is told',
    async prepare(world) {
      const made = await newWaitingPost(world, { mentionees: [{ userIds: ['carol'] }] });
      const events = [ofPost('post.approved', made), ofPost('mention-post.created', made)];
      return { as: 'frank', input: { postId: made.postId }, events };
    },
  },
  {
    operation: 'approvePost',
    situation: 'one that is published already',
    async prepare(world) {
      const { postId } = await newWaitingPost(world);
      await world.make('frank', 'approvePost', { postId }, 'clientMutationId');
      return { as: 'frank', input: { postId }, code: 'BAD_REQUEST' };
    },
  },
  {
    operation: 'declinePost',
    situation: 'those whom it mentions are not told',
    async prepare(world) {
      const made = await newWaitingPost(world, { mentionees: [{ userIds: ['carol'] }] });
      return { as: 'frank', input: { postId: made.postId }, events: [ofPost('post.declined', made)] };
    },
  },
  {
    operation: 'deletePost',
    situation: 'one with two pictures: the posts that show them go with it untold, as they came',
    async prepare(world) {
      const { post } = await newIllustratedPost(world);
      return { as: 'bob', input: { postId: post.postId }, events: [ofPost('post.deleted', post)] };
    },
  },
  {
    operation: 'deletePost',
    situation: 'one of two pictures: their post shows less',
    async prepare(world) {
      const { post, children } = await newIllustratedPost(world);
      const events = [ofPost('post.deleted', children[0]!), ofPost('post.updated', post)];
      return { as: 'bob', input: { postId: children[0]!.postId }, events };
    },
  },
  {
    operation: 'deletePost',
    situation: 'for good, at once',
    async prepare(world) {
      const made = await newPost(world);
      return {
        as: 'admin',
        input: { postId: made.postId, permanent: true },
        events: [ofPost('post.deleted', made)],
      };
    },
  },
  {
    operation: 'deletePost',
    situation: 'for good, after it was deleted: it has gone already',
    async prepare(world) {
      const made = await newPost(world);
      await world.make('bob', 'deletePost', { postId: made.postId }, 'clientMutationId');
      return { as: 'admin', input: { postId: made.postId, permanent: true } };
    },
  },
  {
    operation: 'deletePost',
    situation: 'for good, for the second time',
    async prepare(world) {
      const input = { postId: (await newPost(world)).postId, permanent: true };
      await world.make('admin', 'deletePost', input, 'clientMutationId');
      return { as: 'admin', input };
    },
  },
  {
    operation: 'deletePost',
    situation: 'one that is deleted',
    async prepare(world) {
      const { postId } = await newPost(world);
      await world.make('bob', 'deletePost', { postId }, 'clientMutationId');
      return { as: 'bob', input: { postId }, code: 'NOT_FOUND' };
    },
  },
  {
    operation: 'pinPost',
    situation: 'one of the community',
    async prepare(world) {
      const made = await newPost(world);
      const input = { communityId: 'gardeners', placement: 'DEFAULT', postId: made.postId };
      return { input, events: [ofPost('post.pinned', made)] };
    },
  },
  {
    operation: 'pinPost',
    situation: 'one that is pinned there already: fails in the transaction',
    async prepare(world) {
      const { postId } = await newPost(world);
      const input = { communityId: 'gardeners', placement: 'DEFAULT', postId };
      await world.make('alice', 'pinPost', input, 'clientMutationId');
      return { input, code: 'BAD_REQUEST' };
    },
  },
  {
    operation: 'unpinPost',
    situation: 'one that is pinned',
    async prepare(world) {
      const made = await newPost(world);
      const input = { communityId: 'gardeners', placement: 'DEFAULT', postId: made.postId };
      await world.make('alice', 'pinPost', input, 'clientMutationId');
      return { input, events: [ofPost('post.unpinned', made)] };
    },
  },
  {
    operation: 'unpinPost',
    situation: 'one that is not pinned',
    async prepare(world) {
      const { postId } = await newPost(world);
      return { input: { communityId: 'gardeners', placement: 'DEFAULT', postId }, code: 'NOT_FOUND' };
    },
  },
];
