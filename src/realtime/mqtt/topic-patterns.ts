import { takesPartInRoom } from '../../access/media.ts';
import { canSeeUser } from '../../access/user.ts';
import { type Context, viewerOf } from '../../context.ts';
import { findInsideChannel, getChannel } from '../../domain/channel/get-channel.ts';
import { getComment } from '../../domain/comment/get-comment.ts';
import { findCommunity, findInsideCommunity } from '../../domain/community/get-community.ts';
import { getMessage } from '../../domain/message/get-message.ts';
import { getMessageFeed } from '../../domain/message-feed/get-message-feed.ts';
import { getPost } from '../../domain/post/get-post.ts';
import { getRoom } from '../../domain/room/get-room.ts';
import { getStory } from '../../domain/story/get-story.ts';
import { seesFeedOfUser } from '../../domain/user/follows/feed-privacy.ts';
import type { UserRecord } from '../../store/records/user.ts';

type Params = { readonly [name: string]: string };

/** A form of topic filter that clients may subscribe to. */
export interface TopicPattern {
  /** After the network id and a slash; empty for the network itself. `{name}` stands for one part without wildcards. */
  pattern: string;
  /** Completes "delivers events about", without a full stop. */
  about: string;
  /** Subjects of the events that it delivers: the part of their names before the first dot. */
  subjects: readonly string[];
  /** Who may subscribe: completes "users who". */
  access: string;
  /** Whether the viewer may subscribe. @param topic the whole filter */
  check(context: Context, params: Params, topic: string): boolean | Promise<boolean>;
}

const POSTS = ['post', 'poll'];
const ALL_POSTS = [...POSTS, 'comment', 'liveReaction'];
const STORIES = ['story', 'comment'];
const OWN = 'are the user';
const SEE_TARGET = 'see the posts of the community, or the feed of the user';
const SEE_STORIES = 'see the stories of the community, or the feed of the user';
const EVERYBODY = 'are in the network';

/**
 * Every topic that the gateway delivers to, see docs/reference/mqtt.md. A topic filter is granted if it matches one of
 * these patterns and the viewer passes its check. Events are delivered to the filters that their path matches, and what
 * a connection receives is authorized again for each event, so the checks only refuse topics that would stay silent.
 */
export const TOPIC_PATTERNS: readonly TopicPattern[] = [
  { pattern: '', about: 'accounts that were deleted', subjects: ['user'], access: EVERYBODY, check: () => true },
  {
    pattern: 'smartfeed/{me}/channels',
    about: 'the channels that the user is a member of',
    subjects: ['channel'],
    access: OWN,
    check: isViewer,
  },
  {
    pattern: 'smartfeed/{me}/messagefeeds',
    about: 'the message feeds of these channels',
    subjects: ['message-feed'],
    access: OWN,
    check: isViewer,
  },
  {
    pattern: 'smartfeed/{me}/messages',
    about: 'the messages of these channels, except live ones',
    subjects: ['message'],
    access: OWN,
    check: isViewer,
  },
  {
    pattern: 'marker/user/{me}',
    about: 'read positions of the user',
    subjects: ['marker'],
    access: OWN,
    check: isViewer,
  },
  {
    pattern: 'marker/channel/{channel}/message/{feed}',
    about: 'read positions of the members of a message feed, by the internal or public id of the channel',
    subjects: ['marker'],
    access: 'see the message feed',
    check: seesMarkers,
  },
  { pattern: 'user/{user}', about: 'a user', subjects: ['user'], access: 'see the user', check: seesUser },
  {
    pattern: 'membership/{user}/+/+',
    about: 'the followers of a user',
    subjects: ['follow'],
    access: 'see the user',
    check: seesUser,
  },
  {
    pattern: 'membership/+/{user}/+',
    about: 'the users that a user follows',
    subjects: ['follow'],
    access: 'see the user',
    check: seesUser,
  },
  {
    pattern: 'videostreaming',
    about: 'the video streams of the network',
    subjects: ['video-streaming'],
    access: EVERYBODY,
    check: () => true,
  },
  {
    pattern: 'social/community/{id}',
    about: 'a community and its members',
    subjects: ['community'],
    access: 'see the community',
    check: async (context, { id }) => {
      const community = await context.load.communitiesByInternalId.load(id!);
      return community !== null && (await findCommunity(context, community.communityId)) !== null;
    },
  },
  {
    pattern: 'social/{type}/{id}/post/+',
    about: 'the posts of a community or on the feed of a user',
    subjects: POSTS,
    access: SEE_TARGET,
    check: seesTarget,
  },
  {
    pattern: 'social/{type}/{id}/post/+/comment/+',
    about: 'the comments on these posts',
    subjects: ['comment'],
    access: SEE_TARGET,
    check: seesTarget,
  },
  {
    pattern: 'social/{type}/{id}/post/#',
    about: 'these posts and their comments',
    subjects: ALL_POSTS,
    access: SEE_TARGET,
    check: seesTarget,
  },
  {
    pattern: 'social/{type}/{id}/post/{post}',
    about: 'a post',
    subjects: POSTS,
    access: 'see the post',
    check: seesPost,
  },
  {
    pattern: 'social/{type}/{id}/post/{post}/comment/+',
    about: 'the comments on a post',
    subjects: ['comment'],
    access: 'see the post',
    check: seesPost,
  },
  {
    pattern: 'social/{type}/{id}/post/{post}/liveReaction',
    about: 'the live reactions to a post',
    subjects: ['liveReaction'],
    access: 'see the post',
    check: seesPost,
  },
  {
    pattern: 'social/{type}/{id}/post/{post}/comment/{comment}',
    about: 'a comment on a post',
    subjects: ['comment'],
    access: 'see the comment',
    check: seesComment,
  },
  {
    pattern: 'social/{type}/{target}/story/#',
    about: 'the stories of a community or user, by public id, and their comments',
    subjects: STORIES,
    access: SEE_STORIES,
    check: seesStories,
  },
  {
    pattern: 'social/{type}/{target}/story/{story}/#',
    about: 'a story and its comments',
    subjects: STORIES,
    access: 'see the story',
    check: async (context, { story }) => (await getStory(context, { storyId: story! })) !== null,
  },
  {
    pattern: 'social/{type}/{target}/story/{story}/comment/{comment}',
    about: 'a comment on a story',
    subjects: ['comment'],
    access: 'see the comment',
    check: seesComment,
  },
  {
    pattern: 'social/content/{content}/comment/{comment}',
    about: 'a comment on content of the application',
    subjects: ['comment'],
    access: 'see the comment',
    check: seesComment,
  },
  {
    pattern: 'chat/{channel}/#',
    about: 'a channel with its message feeds and messages',
    subjects: ['channel', 'message-feed', 'message'],
    access: 'see inside the channel',
    check: seesChannel,
  },
  {
    pattern: 'chat/{channel}',
    about: 'a channel',
    subjects: ['channel'],
    access: 'see inside the channel',
    check: seesChannel,
  },
  {
    pattern: 'chat/{channel}/{feed}/#',
    about: 'a message feed and its messages',
    subjects: ['message-feed', 'message'],
    access: 'see the message feed',
    check: seesFeed,
  },
  {
    pattern: 'chat/{channel}/{feed}',
    about: 'a message feed',
    subjects: ['message-feed'],
    access: 'see the message feed',
    check: seesFeed,
  },
  {
    pattern: 'chat/{channel}/{feed}/{message}',
    about: 'a message',
    subjects: ['message'],
    access: 'see the message',
    check: async (context, { message }, topic) => (await getMessage(context, { messageId: message! }))?.path === topic,
  },
  {
    pattern: 'room/{room}',
    about: 'a room',
    subjects: ['room'],
    access: 'see the room',
    check: async (context, { room }) => (await getRoom(context, { roomId: room! })) !== null,
  },
  {
    pattern: 'room/{room}/streamer',
    about: 'a room, for its participants',
    subjects: ['room'],
    access: 'take part in the room',
    check: async (context, { room }) => {
      const found = await getRoom(context, { roomId: room! });
      return found !== null && takesPartInRoom(viewerOf(context), found);
    },
  },
];

function isViewer(context: Context, { me }: Params): boolean {
  return viewerOf(context).userInternalId === me;
}

function isVisibleUser(context: Context, user: UserRecord | null): boolean {
  return user !== null && canSeeUser(viewerOf(context), user);
}

async function seesUser(context: Context, { user }: Params): Promise<boolean> {
  return isVisibleUser(context, await context.load.usersByInternalId.load(user!));
}

/** In networks with private profiles, followers see the feed of a user. */
async function seesFeedOf(context: Context, user: UserRecord | null): Promise<boolean> {
  return isVisibleUser(context, user) && (await seesFeedOfUser(context, user!.userId));
}

async function seesTarget(context: Context, { type, id }: Params): Promise<boolean> {
  if (type === 'user') return seesFeedOf(context, await context.load.usersByInternalId.load(id!));
  if (type !== 'community') return false;
  const community = await context.load.communitiesByInternalId.load(id!);
  return community !== null && (await findInsideCommunity(context, community.communityId)) !== null;
}

async function seesStories(context: Context, { type, target }: Params): Promise<boolean> {
  if (type === 'user') return seesFeedOf(context, await context.load.users.load(target!));
  return type === 'community' && (await findInsideCommunity(context, target!)) !== null;
}

async function seesPost(context: Context, { post }: Params, topic: string): Promise<boolean> {
  const found = await getPost(context, { postId: post! });
  return found !== null && (topic === found.path || topic.startsWith(`${found.path}/`));
}

async function seesComment(context: Context, { comment }: Params, topic: string): Promise<boolean> {
  return (await getComment(context, { commentId: comment! }))?.path === topic;
}

async function seesChannel(context: Context, { channel }: Params): Promise<boolean> {
  const found = await getChannel(context, { internalId: channel! });
  return found !== null && (await findInsideChannel(context, found.channelId)) !== null;
}

async function seesFeed(context: Context, { channel, feed }: Params): Promise<boolean> {
  return (await getMessageFeed(context, { messageFeedId: feed! }))?.channelInternalId === channel;
}

async function seesMarkers(context: Context, { channel, feed }: Params): Promise<boolean> {
  const found = await getMessageFeed(context, { messageFeedId: feed! });
  return found !== null && (found.channelInternalId === channel || found.channelId === channel);
}
