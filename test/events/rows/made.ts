import type { Expected, World } from './row.ts';

/** What rows are about: made anew for each, so that no row depends on another. */

const IN_GARDENERS = { targetType: 'COMMUNITY', targetId: 'gardeners' };

interface Post {
  postId: string;
  path: string;
}

/** A post in the gardeners' community, of a member unless told. */
export async function newPost(world: World, fields: object = {}, as = 'bob'): Promise<Post> {
  const input = { ...IN_GARDENERS, data: { text: 'A row' }, ...fields };
  return (await world.make(as, 'createPost', input, 'post { postId path }')).post;
}

/** A post of a member where posts are reviewed: it waits. */
export function newWaitingPost(world: World, fields: object = {}): Promise<Post> {
  return newPost(world, { targetId: 'orchard-keepers', ...fields }, 'grace');
}

/** A post that shows two pictures, and those in their order. */
export async function newIllustratedPost(world: World): Promise<{ post: Post; children: Post[] }> {
  const attachments = ['tomatoes-red', 'tomatoes-yellow'].map((fileId) => ({ type: 'IMAGE', fileId }));
  const post = await newPost(world, { attachments });
  return { post, children: await childrenOf(world, post) };
}

export async function childrenOf({ gateway }: World, { postId }: Post): Promise<Post[]> {
  return gateway.services.store.collections.posts
    .find({ networkId: 'default', parentPostId: postId }, { projection: { _id: 0, postId: 1, path: 1 } })
    .sort({ createdAt: 1, _id: 1 })
    .toArray();
}

export const ofPost = (type: Expected[0] & `${string}post.${string}`, { postId, path }: Post): Expected =>
  [type, path, { postId }] as Expected;

interface Comment {
  commentId: string;
  path: string;
}

/** A comment of a member on a new post, or on what is named. */
export async function newComment(
  world: World,
  fields: { referenceId?: string; [name: string]: unknown } = {},
): Promise<Comment> {
  const referenceId = fields.referenceId ?? (await newPost(world)).postId;
  const input = { data: { text: 'A row' }, ...fields, referenceId };
  return (await world.make('bob', 'createComment', input, 'comment { commentId path }')).comment;
}

interface Story {
  storyId: string;
  path: string;
}

export const STORY = { ...IN_GARDENERS, dataType: 'TEXT', data: { text: 'A row' } };

export async function newStory(world: World): Promise<Story> {
  return (await world.make('alice', 'createStory', STORY, 'story { storyId path }')).story;
}

export const POLL = { question: 'Which row?', answers: [{ data: 'This' }, { data: 'That' }] };

export async function newPoll(world: World): Promise<{ pollId: string; answerId: string }> {
  const { poll } = await world.make('alice', 'createPoll', POLL, 'poll { pollId answers { answerId } }');
  return { pollId: poll.pollId, answerId: poll.answers[0].answerId };
}

/** A stream, with a chat if told. */
export async function newStream(world: World, fields: object = {}): Promise<{ streamId: string; chat: Chat | null }> {
  const input = { title: 'A row', ...fields };
  const { videoStream } = await world.make('alice', 'createVideoStream', input, 'videoStream { streamId }');
  return { ...videoStream, chat: await chatOf(world, videoStream) };
}

export const ROOM = { ...IN_GARDENERS, title: 'A row' };

/** A room, with a chat if told. */
export async function newRoom(
  world: World,
  fields: object = {},
): Promise<{ roomId: string; path: string; chat: Chat | null }> {
  const { room } = await world.make('alice', 'createRoom', { ...ROOM, ...fields }, 'room { roomId path }');
  return { ...room, chat: await chatOf(world, room) };
}

interface Chat {
  channelId: string;
  path: string;
}

/** The chat of a stream or a room. */
export async function chatOf(
  { gateway }: World,
  { streamId, roomId }: { streamId?: string; roomId?: string },
): Promise<Chat | null> {
  const { channels } = gateway.services.store.collections;
  const live = await channels.find({ networkId: 'default', type: 'live' }).toArray();
  const channel = live.find(({ attachedTo }) =>
    streamId ? attachedTo?.videoStreamId === streamId : attachedTo?.roomId === roomId,
  );
  return channel ? { channelId: channel.channelId, path: channel.path } : null;
}

export const ofChat = (type: Expected[0] & `channel.${string}`, chat: Chat | null): Expected =>
  [type, chat!.path, { channelId: chat!.channelId }] as Expected;

let names = 0;
/** A name that no row before had. */
export const newName = (noun: string): string => `row-${noun}-${++names}`;
