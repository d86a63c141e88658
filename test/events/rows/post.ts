import { newIllustratedPost, newPost, newRoom, newStream, ofChat, ofPost } from './made.ts';
import type { EventRow } from './row.ts';

const POST = { targetType: 'COMMUNITY', targetId: 'gardeners', data: { text: 'A row' } };
const post = 'post { postId path }';

export const POST_ROWS: EventRow[] = [
  {
    operation: 'createPost',
    situation: 'published',
    prepare: () => ({ as: 'bob', input: POST, select: post, events: ({ post }) => [ofPost('post.created', post)] }),
  },
  {
    operation: 'createPost',
    situation: 'published, mentions a user, shows two pictures: one event a post that its author made',
    prepare: () => ({
      as: 'bob',
      input: {
        ...POST,
        mentionees: [{ userIds: ['alice'] }],
        attachments: ['tomatoes-red', 'tomatoes-yellow'].map((fileId) => ({ type: 'IMAGE', fileId })),
      },
      select: post,
      events: ({ post }) => [ofPost('post.created', post), ofPost('mention-post.created', post)],
    }),
  },
  {
    operation: 'createPost',
    situation: 'held for review: reviewers are told, those whom it mentions are not',
    prepare: () => ({
      as: 'grace',
      input: { ...POST, targetId: 'orchard-keepers', mentionees: [{ userIds: ['carol'] }] },
      select: post,
      events: ({ post }) => [ofPost('post.created', post), ofPost('post.need-reviewing', post)],
    }),
  },
  {
    operation: 'createPost',
    situation: 'shares a post',
    async prepare(world) {
      const { postId } = await newPost(world);
      const input = { targetType: 'USER', targetId: 'alice', sharedPostId: postId };
      return { input, select: post, events: ({ post }) => [ofPost('post.created', post)] };
    },
  },
  {
    operation: 'createPost',
    situation: 'shows a stream with a chat: both know the post from then on',
    async prepare(world) {
      const { streamId, chat } = await newStream(world, { channelEnabled: true });
      return {
        input: { ...POST, dataType: 'liveStream', data: { text: 'Live', streamId } },
        select: post,
        events: ({ post }) => [
          ofPost('post.created', post),
          ['video-streaming.updated', `default/videostreaming/${streamId}`, { streamId }],
          ofChat('channel.updated', chat),
        ],
      };
    },
  },
  {
    operation: 'createPost',
    situation: 'shows a room',
    async prepare(world) {
      const { roomId, path } = await newRoom(world);
      return {
        input: { ...POST, dataType: 'room', data: { text: 'Come in', roomId } },
        select: post,
        events: ({ post }) => [ofPost('post.created', post), ['room.updated', path, { roomId }]],
      };
    },
  },
  {
    operation: 'createPost',
    situation: 'shows a stream that another post shows: fails in the transaction',
    async prepare(world) {
      const { streamId } = await newStream(world);
      await newPost(world, { dataType: 'liveStream', data: { text: 'Live', streamId } }, 'alice');
      return { input: { ...POST, dataType: 'liveStream', data: { text: 'Live again', streamId } }, code: 'NOT_FOUND' };
    },
  },
  {
    operation: 'updatePost',
    situation: 'another text',
    async prepare(world) {
      const made = await newPost(world);
      return { as: 'bob', input: { postId: made.postId, data: { text: 'B' } }, events: [ofPost('post.updated', made)] };
    },
  },
  {
    operation: 'updatePost',
    situation: 'one picture goes, another comes',
    async prepare(world) {
      const { post } = await newIllustratedPost(world);
      const attachments = ['tomatoes-yellow', 'shears-picture'].map((fileId) => ({ type: 'IMAGE', fileId }));
      return {
        as: 'bob',
        input: { postId: post.postId, attachments },
        events: [ofPost('post.updated', post)],
      };
    },
  },
  {
    operation: 'updatePost',
    situation: 'nothing is named',
    async prepare(world) {
      const { postId } = await newPost(world);
      return { as: 'bob', input: { postId } };
    },
  },
  {
    operation: 'updatePost',
    situation: 'of another user',
    async prepare(world) {
      const { postId } = await newPost(world);
      return { as: 'carol', input: { postId, data: { text: 'Mine' } }, code: 'PERMISSION_DENIED' };
    },
  },
];
