import { createPost } from '../../src/domain/post/create-post.ts';
import { deletePost } from '../../src/domain/post/delete-post.ts';
import { updatePost } from '../../src/domain/post/update-post.ts';
import { FeedTargetType } from '../community/feed.ts';
import { MentionInput } from '../shared/mentions.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Post } from './post.ts';
import { PostAttachmentInput, PostDataInput, PostTextInput } from './post-input.ts';

mutationField(
  'createPost',
  {
    description: 'Where to publish, and what.',
    inputFields: (t) => ({
      targetType: t.field({ type: FeedTargetType, required: true, description: 'In a community or on a feed.' }),
      targetId: t.string({ required: true, description: 'Public id of the community or user.' }),
      dataType: t.string({
        description:
          '`text` (unless told), `image`, `file`, `video`, `audio`, `poll`, `liveStream`, `room`, or a name with dots of your own.',
      }),
      data: t.field({ type: PostDataInput, description: 'What it shows.' }),
      attachments: t.field({ type: [PostAttachmentInput], description: 'Files, 10 at most, each once.' }),
      sharedPostId: t.string({ description: 'A published post that this one shares.' }),
      tags: t.stringList({ description: 'Tags: 20 at most of 100 characters.' }),
      metadata: t.field({ type: 'JSONObject', description: 'Free-form data of the application, 64 KiB at most.' }),
      mentionees: t.field({ type: [MentionInput], description: 'Who is mentioned.' }),
    }),
  },
  {
    description: 'Publishes a post. Where posts are reviewed, one that is not by a moderator waits for review.',
    resolve: async (_, { input }, context) => ({ post: await createPost(context, input) }),
  },
  {
    description: 'The new post.',
    outputFields: (t) => ({ post: t.expose('post', { type: Post, description: 'The new post.' }) }),
  },
);

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
    resolve: async (_, { input }, context) => ({ post: await updatePost(context, input) }),
  },
  {
    description: 'The changed post.',
    outputFields: (t) => ({ post: t.expose('post', { type: Post, description: 'The changed post.' }) }),
  },
);

mutationField(
  'deletePost',
  {
    description: 'Which post.',
    inputFields: (t) => ({
      postId: t.string({ required: true, description: 'Public id.' }),
      permanent: t.boolean({
        description: 'Whether what it said is erased for good; needs the permission to delete posts there.',
      }),
    }),
  },
  {
    description: 'Deletes a post with its child posts and pins: its author does, and whoever may delete posts there.',
    resolve: async (_, { input }, context) => ({ post: await deletePost(context, input) }),
  },
  {
    description: 'The deleted post.',
    outputFields: (t) => ({ post: t.expose('post', { type: Post, description: 'The deleted post.' }) }),
  },
);
