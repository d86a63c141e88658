import { takesPartInRoom } from '../../access/media.ts';
import { type Context, viewerOf } from '../../context.ts';
import { findCommunity } from '../../domain/community/get-community.ts';
import { getMessage } from '../../domain/message/get-message.ts';
import { getRoom } from '../../domain/room/get-room.ts';
import { getStory } from '../../domain/story/get-story.ts';
import {
  isViewer,
  seesChannel,
  seesComment,
  seesFeed,
  seesMarkers,
  seesPost,
  seesStories,
  seesTarget,
  seesUser,
  type TopicParams,
} from './topic-access.ts';

/** A form of topic filter that clients may subscribe to. */
export interface TopicPattern {
  /** After the network id and a slash; empty for the network itself. `{name}` matches one part without wildcards. */
  pattern: string;
  /** Completes "delivers events about", without a full stop. */
  about: string;
  /** Subjects of the events that it delivers: the part of their names before the first dot. */
  subjects: readonly string[];
  /** Who may subscribe: completes "users who". */
  access: string;
  /** Whether the viewer may subscribe. @param topic the whole filter */
  check(context: Context, params: TopicParams, topic: string): boolean | Promise<boolean>;
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
 * these patterns and the viewer passes its check (`topic-access.ts`). Events are delivered to the filters that their path
 * matches, and each is authorized again, so the checks only refuse topics whose events the viewer would not receive.
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
