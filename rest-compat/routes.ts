import type { Route } from './route.ts';
import { messageReaders } from './v1/message-readers.ts';
import { moveMarkers } from './v1/move-markers.ts';
import { pinPost } from './v1/pin-post.ts';
import { pinnedPosts } from './v1/pinned-posts.ts';
import { readMarkers } from './v1/read-markers.ts';
import { unpinPost } from './v1/unpin-post.ts';
import { viewActivities } from './v1/view-activities.ts';
import { viewers } from './v1/viewers.ts';
import { reactions } from './v2/reactions.ts';
import { changeCommunities } from './v3/change-communities.ts';
import { changeUsers } from './v3/change-users.ts';
import { channelMembers } from './v3/channel-members.ts';
import { channelRoles } from './v3/channel-roles.ts';
import { channelUsers } from './v3/channel-users.ts';
import { channelsSeen } from './v3/channels-seen.ts';
import { communities } from './v3/communities.ts';
import { communityCategories } from './v3/community-categories.ts';
import { communityUsers } from './v3/community-users.ts';
import { contentFeeds } from './v3/content-feeds.ts';
import { files } from './v3/files.ts';
import { flagMessage } from './v3/flag-message.ts';
import { flagPost } from './v3/flag-post.ts';
import { getChannel } from './v3/get-channel.ts';
import { getComments } from './v3/get-comments.ts';
import { getPost } from './v3/get-post.ts';
import { isPostFlagged } from './v3/is-post-flagged.ts';
import { listChannels } from './v3/list-channels.ts';
import { listPosts } from './v3/list-posts.ts';
import { networkSettings } from './v3/network-settings.ts';
import { polls } from './v3/polls.ts';
import { queryChannels } from './v3/query-channels.ts';
import { queryComments } from './v3/query-comments.ts';
import { reviewPost } from './v3/review-post.ts';
import { roles } from './v3/roles.ts';
import { unflagPost } from './v3/unflag-post.ts';
import { users } from './v3/users.ts';
import { writeChannels } from './v3/write-channels.ts';
import { writeComments } from './v3/write-comments.ts';
import { communityRoles } from './v4/community-roles.ts';
import { feeds } from './v4/feeds.ts';
import { flagUsers } from './v4/flag-users.ts';
import { joinRequests } from './v4/join-requests.ts';
import { mintAuthTokens } from './v4/mint-auth-token.ts';
import { queryPosts } from './v4/query-posts.ts';
import { revokeSession } from './v4/revoke-session.ts';
import { stories } from './v4/stories.ts';
import { userBlocks } from './v4/user-blocks.ts';
import { writePosts } from './v4/write-posts.ts';
import { writeStories } from './v4/write-stories.ts';
import { createSessions } from './v5/create-session.ts';
import { getMessageFeed } from './v5/get-message-feed.ts';
import { globalStoryTargets } from './v5/global-story-targets.ts';
import { messageFeeds } from './v5/message-feeds.ts';
import { messages } from './v5/messages.ts';
import { writeMessageFeeds } from './v5/write-message-feeds.ts';
import { writeMessages } from './v5/write-messages.ts';

/** Every row of the legacy interface. */
export const ROUTES: readonly Route[] = [
  ...createSessions,
  revokeSession,
  ...mintAuthTokens,
  ...networkSettings,
  getPost,
  flagPost,
  unflagPost,
  isPostFlagged,
  listPosts,
  ...queryPosts,
  ...writePosts,
  ...reviewPost,
  viewActivities,
  ...viewers,
  contentFeeds,
  ...feeds,
  pinPost,
  unpinPost,
  ...pinnedPosts,
  queryComments,
  ...communityRoles,
  globalStoryTargets,
  ...channelUsers,
  listChannels,
  queryChannels,
  getChannel,
  ...channelRoles,
  getMessageFeed,
  ...messageFeeds,
  ...messages,
  ...writeMessages,
  ...writeMessageFeeds,
  ...channelsSeen,
  ...writeChannels,
  ...channelMembers,
  ...flagMessage,
  ...moveMarkers,
  ...readMarkers,
  ...messageReaders,
  ...getComments,
  ...writeComments,
  ...reactions,
  ...polls,
  ...communities,
  ...changeCommunities,
  communityUsers,
  ...joinRequests,
  ...communityCategories,
  ...users,
  ...changeUsers,
  ...flagUsers,
  ...userBlocks,
  ...roles,
  ...files,
  ...stories,
  ...writeStories,
];
