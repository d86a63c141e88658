import { createPost } from '../../src/domain/post/create-post.ts';
import { FeedTargetType } from '../community/feed.ts';
import { MentionInput } from '../shared/mentions.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Post } from './post.ts';
import { PostAttachmentInput, PostDataInput } from './post-input.ts';

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
    errors: {},
    resolve: async (_, { input }, context) => ({ post: await createPost(context, input) }),
  },
  {
    description: 'The new post.',
    outputFields: (t) => ({ post: t.expose('post', { type: Post, description: 'The new post.' }) }),
  },
);
