import type { CaseContext, ExpectedEvent } from './event-case.ts';

/** Records of content. Each case creates its own, so that no case depends on another. */

const IN_GARDENERS = { targetType: 'COMMUNITY', targetId: 'gardeners' };

interface Post {
  postId: string;
  path: string;
}

/** A post in the gardeners' community, by default of the member bob. */
export async function createPost(context: CaseContext, fields: object = {}, as = 'bob'): Promise<Post> {
  const input = { ...IN_GARDENERS, data: { text: 'An example' }, ...fields };
  return (await context.mutate(as, 'createPost', input, 'post { postId path }')).post;
}

/** A post of a member that waits for review. */
export function createWaitingPost(context: CaseContext, fields: object = {}): Promise<Post> {
  return createPost(context, { targetId: 'orchard-keepers', ...fields }, 'grace');
}

/** A post with two images, and its child posts in order. */
export async function createIllustratedPost(context: CaseContext): Promise<{ post: Post; children: Post[] }> {
  const attachments = ['tomatoes-red', 'tomatoes-yellow'].map((fileId) => ({ type: 'IMAGE', fileId }));
  const post = await createPost(context, { attachments });
  return { post, children: await childrenOf(context, post) };
}

async function childrenOf({ gateway }: CaseContext, { postId }: Post): Promise<Post[]> {
  return gateway.services.store.collections.posts
    .find({ networkId: 'default', parentPostId: postId }, { projection: { _id: 0, postId: 1, path: 1 } })
    .sort({ createdAt: 1, _id: 1 })
    .toArray();
}

export const postEvent = (type: ExpectedEvent[0] & `${string}post.${string}`, { postId, path }: Post): ExpectedEvent =>
  [type, path, { postId }] as ExpectedEvent;

interface Comment {
  commentId: string;
  path: string;
}

/** A comment of bob, by default on a new post. */
export async function createComment(
  context: CaseContext,
  fields: { referenceId?: string; [name: string]: unknown } = {},
): Promise<Comment> {
  const referenceId = fields.referenceId ?? (await createPost(context)).postId;
  const input = { data: { text: 'An example' }, ...fields, referenceId };
  return (await context.mutate('bob', 'createComment', input, 'comment { commentId path }')).comment;
}

interface Story {
  storyId: string;
  path: string;
}

export const STORY = { ...IN_GARDENERS, dataType: 'TEXT', data: { text: 'An example' } };

export async function createStory(context: CaseContext): Promise<Story> {
  return (await context.mutate('alice', 'createStory', STORY, 'story { storyId path }')).story;
}

export const POLL = { question: 'Which one?', answers: [{ data: 'This' }, { data: 'That' }] };

export async function createPoll(context: CaseContext): Promise<{ pollId: string; answerId: string }> {
  const { poll } = await context.mutate('alice', 'createPoll', POLL, 'poll { pollId answers { answerId } }');
  return { pollId: poll.pollId, answerId: poll.answers[0].answerId };
}

/** A stream, with a chat if `channelEnabled` is set. */
export async function createStream(
  context: CaseContext,
  fields: object = {},
): Promise<{ streamId: string; chat: Chat | null }> {
  const input = { title: 'An example', ...fields };
  const { videoStream } = await context.mutate('alice', 'createVideoStream', input, 'videoStream { streamId }');
  return { ...videoStream, chat: await chatOf(context, videoStream) };
}

export const ROOM = { ...IN_GARDENERS, title: 'An example' };

/** A room, with a chat if `liveChatEnabled` is set. */
export async function createRoom(
  context: CaseContext,
  fields: object = {},
): Promise<{ roomId: string; path: string; chat: Chat | null }> {
  const { room } = await context.mutate('alice', 'createRoom', { ...ROOM, ...fields }, 'room { roomId path }');
  return { ...room, chat: await chatOf(context, room) };
}

interface RoomKey {
  roomId: string;
  path: string;
}

export const roomEvent = (type: ExpectedEvent[0] & `room.${string}`, { roomId, path }: RoomKey): ExpectedEvent =>
  [type, path, { roomId }] as ExpectedEvent;

/** Changes of rooms that are reported under a second name, too. */
const SECOND_NAMES = {
  'room.updated': 'room.didUpdate',
  'room.didStart': 'room.startBroadcasting',
  'room.didStop': 'room.endBroadcasting',
  'room.didRecord': 'room.recordedAvailable',
} as const;

export const roomEvents = (type: keyof typeof SECOND_NAMES, room: RoomKey): ExpectedEvent[] => [
  roomEvent(type, room),
  roomEvent(SECOND_NAMES[type], room),
];

interface Chat {
  channelId: string;
  path: string;
}

/** The chat of a stream or a room. */
export async function chatOf(
  { gateway }: CaseContext,
  { streamId, roomId }: { streamId?: string; roomId?: string },
): Promise<Chat | null> {
  const { channels } = gateway.services.store.collections;
  const live = await channels.find({ networkId: 'default', type: 'live' }).toArray();
  const channel = live.find(({ attachedTo }) =>
    streamId ? attachedTo?.videoStreamId === streamId : attachedTo?.roomId === roomId,
  );
  return channel ? { channelId: channel.channelId, path: channel.path } : null;
}

export const chatEvent = (type: ExpectedEvent[0] & `channel.${string}`, chat: Chat | null): ExpectedEvent =>
  [type, chat!.path, { channelId: chat!.channelId }] as ExpectedEvent;

let names = 0;
/** A name that no earlier case used. */
export const uniqueName = (prefix: string): string => `case-${prefix}-${++names}`;
