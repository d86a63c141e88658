import { sampleChannels, sampleChannelUsers, sampleMessageFeeds } from './content/channels.ts';
import { sampleComments } from './content/comments.ts';
import {
  pinTargetsOf,
  sampleCategories,
  sampleCommunities,
  sampleCommunityUsers,
  sampleJoinRequests,
  samplePins,
} from './content/communities.ts';
import { sampleFollows } from './content/follows.ts';
import { sampleFileRecords, samplePolls, samplePollVotes, sampleRooms, sampleVideoStreams } from './content/media.ts';
import { sampleMessages, sampleReading } from './content/messages.ts';
import { samplePosts } from './content/posts.ts';
import { sampleFlags, sampleReactions } from './content/reactions.ts';
import { sampleStories, sampleStorySeens } from './content/stories.ts';
import { sampleRoles, sampleUsers } from './content/users.ts';
import { createSampleContext, type SampleContext, type SampleNetwork } from './context.ts';
import { deriveChildPosts, deriveComments, deriveFeeds } from './derive/content.ts';
import { markersOf, userMarkersOf } from './derive/markers.ts';
import { deriveFollows, deriveMembers, derivePolls } from './derive/members.ts';
import { deriveMessages } from './derive/messages.ts';
import { deriveFlags, deriveReactions } from './derive/reactions.ts';
import { storyTargetsOf } from './derive/stories.ts';

export interface SampleNetworkOptions {
  networkId: string;
  /** Reference time of stories, mutes and polls. @default now */
  now?: Date;
}

/**
 * The sample network: a small garden community that contains every type of record in the API, with every field.
 *
 * Pure and deterministic: ids, texts and creation times are the same in every build. Only times in the future (the end
 * of stories, mutes and the open poll) depend on `now`. All counters are derived from the content.
 */
export function buildSampleNetwork(options: SampleNetworkOptions): SampleNetwork {
  const context = createSampleContext({ ...options, now: options.now ?? new Date() });
  const declared = { ...declareSocial(context), ...declareFiles(context) };
  const channels = sampleChannels(context, declared.communities);
  const channelUsers = sampleChannelUsers(context, { ...declared, channels });
  const messageFeeds = sampleMessageFeeds(context, channels);
  const messages = sampleMessages(context, messageFeeds);
  const network = { ...declared, channels, channelUsers, messageFeeds, messages };

  // Flags are derived first: a flagged comment marks its post, and a flagged post its community.
  deriveFlags(network);
  deriveReactions(network);
  deriveComments(network);
  deriveChildPosts(network);
  deriveFeeds(network);
  deriveMembers(network);
  deriveFollows(network);
  derivePolls(network);
  deriveMessages(network);
  const userFeedMarkers = markersOf(context, network, (member, feed) => sampleReading(context, member, feed));
  return { ...network, userFeedMarkers, userMarkers: userMarkersOf(context, userFeedMarkers) };
}

function declareSocial(context: SampleContext) {
  const users = sampleUsers(context);
  const communities = sampleCommunities(context);
  const posts = samplePosts(context);
  const stories = sampleStories(context);
  const pins = samplePins(context);
  return {
    users,
    follows: sampleFollows(context),
    roles: sampleRoles(context),
    categories: sampleCategories(context),
    communities,
    communityUsers: sampleCommunityUsers(context, { communities, users }),
    joinRequests: sampleJoinRequests(context),
    posts,
    pins,
    pinTargets: pinTargetsOf(context, pins),
    stories,
    storyTargets: storyTargetsOf(context, stories),
    storySeens: sampleStorySeens(context, stories),
    comments: sampleComments(context, { posts, stories }),
    reactions: sampleReactions(context),
    flags: sampleFlags(context),
  };
}

function declareFiles(context: SampleContext) {
  return {
    files: sampleFileRecords(context),
    polls: samplePolls(context),
    pollVotes: samplePollVotes(context),
    videoStreams: sampleVideoStreams(context),
    rooms: sampleRooms(context),
  };
}
