import { createIllustratedPost, createPost, createWaitingPost, postEvent } from './content-fixtures.ts';
import type { EventCase } from './event-case.ts';

/** Review, deletion and pinning of posts. */
export const POST_END_CASES: EventCase[] = [
  {
    operation: 'approvePost',
    situation: 'a post without mentions',
    async prepare(context) {
      const created = await createWaitingPost(context);
      return { as: 'frank', input: { postId: created.postId }, events: [postEvent('post.approved', created)] };
    },
  },
  {
    operation: 'approvePost',
    situation: 'a post that mentions a user: the mention is published with it',
    async prepare(context) {
      const created = await createWaitingPost(context, { mentionees: [{ userIds: ['carol'] }] });
      const events = [postEvent('post.approved', created), postEvent('mention-post.created', created)];
      return { as: 'frank', input: { postId: created.postId }, events };
    },
  },
  {
    operation: 'approvePost',
    situation: 'a published post',
    async prepare(context) {
      const { postId } = await createWaitingPost(context);
      await context.mutate('frank', 'approvePost', { postId }, 'clientMutationId');
      return { as: 'frank', input: { postId }, code: 'BAD_REQUEST' };
    },
  },
  {
    operation: 'declinePost',
    situation: 'a post that mentions a user: no event of the mention',
    async prepare(context) {
      const created = await createWaitingPost(context, { mentionees: [{ userIds: ['carol'] }] });
      return { as: 'frank', input: { postId: created.postId }, events: [postEvent('post.declined', created)] };
    },
  },
  {
    operation: 'deletePost',
    situation: 'a post with two images: its child posts cause no events',
    async prepare(context) {
      const { post } = await createIllustratedPost(context);
      return { as: 'bob', input: { postId: post.postId }, events: [postEvent('post.deleted', post)] };
    },
  },
  {
    operation: 'deletePost',
    situation: 'the child post of one of two images: the parent is updated',
    async prepare(context) {
      const { post, children } = await createIllustratedPost(context);
      const events = [postEvent('post.deleted', children[0]!), postEvent('post.updated', post)];
      return { as: 'bob', input: { postId: children[0]!.postId }, events };
    },
  },
  {
    operation: 'deletePost',
    situation: 'permanently',
    async prepare(context) {
      const created = await createPost(context);
      return {
        as: 'admin',
        input: { postId: created.postId, permanent: true },
        events: [postEvent('post.deleted', created)],
      };
    },
  },
  {
    operation: 'deletePost',
    situation: 'permanently, after it was deleted: no second event',
    async prepare(context) {
      const created = await createPost(context);
      await context.mutate('bob', 'deletePost', { postId: created.postId }, 'clientMutationId');
      return { as: 'admin', input: { postId: created.postId, permanent: true } };
    },
  },
  {
    operation: 'deletePost',
    situation: 'permanently, for the second time',
    async prepare(context) {
      const input = { postId: (await createPost(context)).postId, permanent: true };
      await context.mutate('admin', 'deletePost', input, 'clientMutationId');
      return { as: 'admin', input };
    },
  },
  {
    operation: 'deletePost',
    situation: 'a deleted post',
    async prepare(context) {
      const { postId } = await createPost(context);
      await context.mutate('bob', 'deletePost', { postId }, 'clientMutationId');
      return { as: 'bob', input: { postId }, code: 'NOT_FOUND' };
    },
  },
  {
    operation: 'pinPost',
    situation: 'a post of the community',
    async prepare(context) {
      const created = await createPost(context);
      const input = { communityId: 'gardeners', placement: 'DEFAULT', postId: created.postId };
      return { input, events: [postEvent('post.pinned', created)] };
    },
  },
  {
    operation: 'pinPost',
    situation: 'a post that is already pinned there: fails in the transaction',
    async prepare(context) {
      const { postId } = await createPost(context);
      const input = { communityId: 'gardeners', placement: 'DEFAULT', postId };
      await context.mutate('alice', 'pinPost', input, 'clientMutationId');
      return { input, code: 'BAD_REQUEST' };
    },
  },
  {
    operation: 'unpinPost',
    situation: 'a pinned post',
    async prepare(context) {
      const created = await createPost(context);
      const input = { communityId: 'gardeners', placement: 'DEFAULT', postId: created.postId };
      await context.mutate('alice', 'pinPost', input, 'clientMutationId');
      return { input, events: [postEvent('post.unpinned', created)] };
    },
  },
  {
    operation: 'unpinPost',
    situation: 'a post that is not pinned',
    async prepare(context) {
      const { postId } = await createPost(context);
      return { input: { communityId: 'gardeners', placement: 'DEFAULT', postId }, code: 'NOT_FOUND' };
    },
  },
];
