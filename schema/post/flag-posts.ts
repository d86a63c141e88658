import { clearPostFlags } from '../../src/domain/post/moderation/clear-post-flags.ts';
import { flagPost } from '../../src/domain/post/moderation/flag-post.ts';
import { unflagPost } from '../../src/domain/post/moderation/unflag-post.ts';
import { FlagReason } from '../shared/flag-reason.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Post } from './post.ts';

mutationField(
  'flagPost',
  {
    description: 'Which post, and why.',
    inputFields: (t) => ({
      postId: t.string({ required: true, description: 'Public id.' }),
      reason: t.field({ type: FlagReason, description: 'Why; `OTHERS` unless told.' }),
      detail: t.string({ description: 'Why in words, at most 300 characters.' }),
    }),
  },
  {
    description: 'Tells the moderators of a post. One flag a user: a repeat changes the reason.',
    resolve: async (_, { input }, context) => ({ post: await flagPost(context, input) }),
  },
  {
    description: 'The flagged post.',
    outputFields: (t) => ({ post: t.expose('post', { type: Post, description: 'The flagged post.' }) }),
  },
);

mutationField(
  'unflagPost',
  {
    description: 'Which post.',
    inputFields: (t) => ({ postId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: "Takes the viewer's flag back; without one nothing happens.",
    resolve: async (_, { input }, context) => ({ post: await unflagPost(context, input) }),
  },
  {
    description: 'The post without the flag.',
    outputFields: (t) => ({ post: t.expose('post', { type: Post, description: 'The post without the flag.' }) }),
  },
);

mutationField(
  'clearPostFlags',
  {
    description: 'Which post.',
    inputFields: (t) => ({ postId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: 'Takes all flags on a post back; for whoever moderates posts there.',
    resolve: async (_, { input }, context) => ({ post: await clearPostFlags(context, input) }),
  },
  {
    description: 'The post without flags.',
    outputFields: (t) => ({ post: t.expose('post', { type: Post, description: 'The post without flags.' }) }),
  },
);
