import type { Route } from './route.ts';
import { viewers } from './v1/analytics/list-viewers.ts';
import { viewActivities } from './v1/analytics/record-views.ts';
import { messageReaders } from './v1/markers/list-message-readers.ts';
import { moveMarkers } from './v1/markers/move-markers.ts';
import { readMarkers } from './v1/markers/read-markers.ts';
import { pinnedPosts } from './v1/pinned-posts/list-pinned-posts.ts';
import { pinPost } from './v1/pinned-posts/pin-post.ts';
import { unpinPost } from './v1/pinned-posts/unpin-post.ts';
import { channelMembers } from './v3/channels/change-channel-members.ts';
import { channelRoles } from './v3/channels/change-channel-roles.ts';
import { getChannel } from './v3/channels/get-channel.ts';
import { listChannels } from './v3/channels/list-channels.ts';
import { channelsSeen } from './v3/channels/mark-channels-seen.ts';
import { queryChannels } from './v3/channels/query-channels.ts';
import { writeChannels } from './v3/channels/write-channels.ts';
import { queryComments } from './v3/comments/query-comments.ts';
import { getComments } from './v3/comments/read-comments.ts';
import { writeComments } from './v3/comments/write-comments.ts';
import { communityUsers } from './v3/communities/list-community-users.ts';
import { communities } from './v3/communities/read-communities.ts';
import { changeCommunities } from './v3/communities/write-communities.ts';
import { communityCategories } from './v3/community-categories/read-categories.ts';
import { files } from './v3/files/files.ts';
import { networkSettings } from './v3/network-settings/network-settings.ts';
import { polls } from './v3/polls/polls.ts';
import { contentFeeds } from './v3/posts/content-feed.ts';
import { flagPost } from './v3/posts/flag-post.ts';
import { getPost } from './v3/posts/get-post.ts';
import { isPostFlagged } from './v3/posts/is-post-flagged.ts';
import { listPosts } from './v3/posts/list-posts.ts';
import { reviewPost } from './v3/posts/review-post.ts';
import { unflagPost } from './v3/posts/unflag-post.ts';
import { reactions } from './v3/reactions/reactions.ts';
import { roles } from './v3/roles/read-roles.ts';
import { users } from './v3/users/read-users.ts';
import { changeUsers } from './v3/users/update-user.ts';
import { mintAuthTokens } from './v4/authentication/mint-auth-token.ts';
import { channelUsers } from './v4/channels/list-channel-users.ts';
import { communityRoles } from './v4/communities/change-community-roles.ts';
import { joinRequests } from './v4/communities/join-requests.ts';
import { writePosts } from './v4/posts/write-posts.ts';
import { revokeSession } from './v4/sessions/revoke-session.ts';
import { stories } from './v4/stories/read-stories.ts';
import { writeStories } from './v4/stories/write-stories.ts';
import { userBlocks } from './v4/users/block-user.ts';
import { flagUsers } from './v4/users/flag-user.ts';
import { getMessageFeed } from './v5/message-feeds/get-message-feed.ts';
import { messageFeeds } from './v5/message-feeds/list-message-feeds.ts';
import { writeMessageFeeds } from './v5/message-feeds/write-message-feeds.ts';
import { flagMessage } from './v5/messages/flag-message.ts';
import { messages } from './v5/messages/read-messages.ts';
import { writeMessages } from './v5/messages/write-messages.ts';
import { feeds } from './v5/posts/feeds.ts';
import { queryPosts } from './v5/posts/query-posts.ts';
import { createSessions } from './v5/sessions/create-session.ts';
import { globalStoryTargets } from './v5/story-targets/list-story-targets.ts';

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
