import {
  chatEvent,
  createIllustratedPost,
  createPost,
  createRoom,
  createStream,
  postEvent,
  roomEvents,
} from './content-fixtures.ts';
import type { EventCase } from './event-case.ts';

const POST = { targetType: 'COMMUNITY', targetId: 'gardeners', data: { text: 'An example' } };
const post = 'post { postId path }';

export const POST_CASES: EventCase[] = [
  {
    operation: 'createPost',
    situation: 'published',
    prepare: () => ({ as: 'bob', input: POST, select: post, events: ({ post }) => [postEvent('post.created', post)] }),
  },
  {
    operation: 'createPost',
    situation: 'published with a mention and two images: no events of the child posts',
    prepare: () => ({
      as: 'bob',
      input: {
        ...POST,
        mentionees: [{ userIds: ['alice'] }],
        attachments: ['tomatoes-red', 'tomatoes-yellow'].map((fileId) => ({ type: 'IMAGE', fileId })),
      },
      select: post,
      events: ({ post }) => [postEvent('post.created', post), postEvent('mention-post.created', post)],
    }),
  },
  {
    operation: 'createPost',
    situation: 'held for review: an event for reviewers, none for mentioned users',
    prepare: () => ({
      as: 'grace',
      input: { ...POST, targetId: 'orchard-keepers', mentionees: [{ userIds: ['carol'] }] },
      select: post,
      events: ({ post }) => [postEvent('post.created', post), postEvent('post.need-reviewing', post)],
    }),
  },
  {
    operation: 'createPost',
    situation: 'shares a post',
    async prepare(context) {
      const { postId } = await createPost(context);
      const input = { targetType: 'USER', targetId: 'alice', sharedPostId: postId };
      return { input, select: post, events: ({ post }) => [postEvent('post.created', post)] };
    },
  },
  {
    operation: 'createPost',
    situation: 'shows a stream with a chat: both refer to the post',
    async prepare(context) {
      const { streamId, chat } = await createStream(context, { channelEnabled: true });
      return {
        input: { ...POST, dataType: 'liveStream', data: { text: 'Live', streamId } },
        select: post,
        events: ({ post }) => [
          postEvent('post.created', post),
          ['video-streaming.updated', `default/videostreaming/${streamId}`, { streamId }],
          chatEvent('channel.updated', chat),
        ],
      };
    },
  },
  {
    operation: 'createPost',
    situation: 'shows a room',
    async prepare(context) {
      const { roomId, path } = await createRoom(context);
      return {
        input: { ...POST, dataType: 'room', data: { text: 'Come in', roomId } },
        select: post,
        events: ({ post }) => [postEvent('post.created', post), ...roomEvents('room.updated', { roomId, path })],
      };
    },
  },
  {
    operation: 'createPost',
    situation: 'shows a stream that another post shows already: fails in the transaction',
    async prepare(context) {
      const { streamId } = await createStream(context);
      await createPost(context, { dataType: 'liveStream', data: { text: 'Live', streamId } }, 'alice');
      return { input: { ...POST, dataType: 'liveStream', data: { text: 'Live again', streamId } }, code: 'NOT_FOUND' };
    },
  },
  {
    operation: 'updatePost',
    situation: 'its text',
    async prepare(context) {
      const created = await createPost(context);
      return {
        as: 'bob',
        input: { postId: created.postId, data: { text: 'B' } },
        events: [postEvent('post.updated', created)],
      };
    },
  },
  {
    operation: 'updatePost',
    situation: 'replaces one image by another',
    async prepare(context) {
      const { post } = await createIllustratedPost(context);
      const attachments = ['tomatoes-yellow', 'shears-picture'].map((fileId) => ({ type: 'IMAGE', fileId }));
      return {
        as: 'bob',
        input: { postId: post.postId, attachments },
        events: [postEvent('post.updated', post)],
      };
    },
  },
  {
    operation: 'updatePost',
    situation: 'without a change',
    async prepare(context) {
      const { postId } = await createPost(context);
      return { as: 'bob', input: { postId } };
    },
  },
  {
    operation: 'updatePost',
    situation: 'of another user',
    async prepare(context) {
      const { postId } = await createPost(context);
      return { as: 'carol', input: { postId, data: { text: 'Mine' } }, code: 'PERMISSION_DENIED' };
    },
  },
];
