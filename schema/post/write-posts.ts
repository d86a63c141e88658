import { createPost } from '../../src/domain/post/create-post.ts';
import { deletePost } from '../../src/domain/post/delete-post.ts';
import { createPostInput, deletePostInput, updatePostInput } from '../../src/domain/post/post-input.ts';
import { updatePost } from '../../src/domain/post/update-post.ts';
import { FeedTargetType } from '../community/feed.ts';
import { inputOf } from '../shared/input-fields.ts';
import { MentionInput } from '../shared/mentions.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { Post } from './post.ts';
import { PostAttachmentInput, PostDataInput, PostTextInput } from './post-input.ts';

const CONTENT = { attachments: PostAttachmentInput, mentionees: MentionInput };

mutationField(
  'createPost',
  inputOf(createPostInput, { targetType: FeedTargetType, data: PostDataInput, ...CONTENT }),
  {
    description:
      'Publishes a post in a community or on the feed of the viewer. In a community that reviews posts it enters review, unless the viewer moderates posts there.',
    resolve: async (_, { input }, context) => ({ post: await createPost(context, input) }),
    ...causes(
      'post.created',
      'mention-post.created',
      'post.need-reviewing',
      'channel.updated',
      'video-streaming.updated',
      'room.updated',
      'room.didUpdate',
    ),
  },
  { outputFields: (t) => ({ post: t.expose('post', { type: Post, description: 'The new post.' }) }) },
);

mutationField(
  'updatePost',
  inputOf(updatePostInput, { data: PostTextInput, ...CONTENT }),
  {
    description:
      'Changes a post. Omitted fields stay unchanged, null clears a field, and lists are replaced as a whole; child posts of omitted attachments are deleted. Allowed for its author and for moderators of posts there.',
    resolve: async (_, { input }, context) => ({ post: await updatePost(context, input) }),
    ...causes('post.updated'),
  },
  { outputFields: (t) => ({ post: t.expose('post', { type: Post, description: 'The updated post.' }) }) },
);

mutationField(
  'deletePost',
  inputOf(deletePostInput),
  {
    description:
      'Deletes a post with its child posts and pins. Allowed for its author and for users with the permission to delete posts there.',
    resolve: async (_, { input }, context) => ({ post: await deletePost(context, input) }),
    ...causes('post.updated', 'post.deleted'),
  },
  { outputFields: (t) => ({ post: t.expose('post', { type: Post, description: 'The deleted post.' }) }) },
);
