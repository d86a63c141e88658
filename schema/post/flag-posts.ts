import { clearPostFlags, flagPost, unflagPost } from '../../src/domain/post/moderation/flag-post.ts';
import { flagPostInput, postIdInput } from '../../src/domain/post/post-input.ts';
import { FlagReason } from '../shared/flag-reason.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { Post } from './post.ts';

mutationField(
  'flagPost',
  inputOf(flagPostInput, { reason: FlagReason }),
  {
    description:
      'Flags a post for its moderators. A user has at most one flag on a post; flagging it again changes the reason.',
    resolve: async (_, { input }, context) => ({ post: await flagPost(context, input) }),
    ...causes('post.flagged'),
  },
  { outputFields: (t) => ({ post: t.expose('post', { type: Post, description: 'The flagged post.' }) }) },
);

mutationField(
  'unflagPost',
  inputOf(postIdInput),
  {
    description: 'Withdraws the flag of the viewer on a post. Does nothing if there is none.',
    resolve: async (_, { input }, context) => ({ post: await unflagPost(context, input) }),
    ...causes('post.unflagged'),
  },
  { outputFields: (t) => ({ post: t.expose('post', { type: Post, description: 'The post without the flag.' }) }) },
);

mutationField(
  'clearPostFlags',
  inputOf(postIdInput),
  {
    description: 'Removes all flags from a post. Allowed for moderators of posts there.',
    resolve: async (_, { input }, context) => ({ post: await clearPostFlags(context, input) }),
    ...causes('post.flagsCleared'),
  },
  { outputFields: (t) => ({ post: t.expose('post', { type: Post, description: 'The post without flags.' }) }) },
);
