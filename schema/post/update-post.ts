import { updatePost } from '../../src/domain/post/update-post.ts';
import { MentionInput } from '../shared/mentions.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Post } from './post.ts';
import { PostAttachmentInput, PostTextInput } from './post-input.ts';

mutationField(
  'updatePost',
  {
    description: 'Which post, and what changes. What is left out stays; null clears.',
    inputFields: (t) => ({
      postId: t.string({ required: true, description: 'Public id.' }),
      data: t.field({ type: PostTextInput, description: 'What it says.' }),
      attachments: t.field({
        type: [PostAttachmentInput],
        description: 'All its files from now on, 10 at most; child posts of files that are not named go.',
      }),
      tags: t.stringList({ description: 'All its tags from now on.' }),
      metadata: t.field({ type: 'JSONObject', description: 'Free-form data in place of what was there.' }),
      mentionees: t.field({ type: [MentionInput], description: 'All who are mentioned from now on.' }),
    }),
  },
  {
    description: 'Changes a post: its author does, and whoever moderates posts there.',
    errors: {},
    resolve: async (_, { input }, context) => ({ post: await updatePost(context, input) }),
  },
  {
    description: 'The changed post.',
    outputFields: (t) => ({ post: t.expose('post', { type: Post, description: 'The changed post.' }) }),
  },
);
