import type { Route } from './route.ts';
import { listAds } from './v1/ads/list-ads.ts';
import { listViewers } from './v1/analytics/list-viewers.ts';
import { recordViews } from './v1/analytics/record-views.ts';
import { linkPreview } from './v1/link-preview/link-preview.ts';
import { listMessageReaders } from './v1/markers/list-message-readers.ts';
import { moveMarkers } from './v1/markers/move-markers.ts';
import { readMarkers } from './v1/markers/read-markers.ts';
import { pushDevices } from './v1/notification/push-devices.ts';
import { listPinnedPosts } from './v1/pinned-posts/list-pinned-posts.ts';
import { pinPost } from './v1/pinned-posts/pin-post.ts';
import { addLiveReactions } from './v1/reactions/add-live-reactions.ts';
import { search } from './v1/search/search.ts';
import { muteChannel } from './v2/channels/mute-channel.ts';
import { addReaction } from './v2/reactions/add-reaction.ts';
import { changeChannelMembers } from './v3/channels/change-channel-members.ts';
import { changeChannelRoles } from './v3/channels/change-channel-roles.ts';
import { markChannelsSeen } from './v3/channels/mark-channels-seen.ts';
import { readChannels } from './v3/channels/read-channels.ts';
import { writeChannels } from './v3/channels/write-channels.ts';
import { flagComment } from './v3/comments/flag-comment.ts';
import { queryComments } from './v3/comments/query-comments.ts';
import { readComments } from './v3/comments/read-comments.ts';
import { writeComments } from './v3/comments/write-comments.ts';
import { changeCommunityMembers } from './v3/communities/change-community-members.ts';
import { listCommunityUsers } from './v3/communities/list-community-users.ts';
import { readCommunities } from './v3/communities/read-communities.ts';
import { writeCommunities } from './v3/communities/write-communities.ts';
import { readCategories } from './v3/community-categories/read-categories.ts';
import { verifyContent } from './v3/content-rules/verify-content.ts';
import { deleteFile, getFile, updateFile } from './v3/files/files.ts';
import { networkSettings } from './v3/network-settings/network-settings.ts';
import { polls } from './v3/polls/polls.ts';
import { contentFeed } from './v3/posts/content-feed.ts';
import { flagPost } from './v3/posts/flag-post.ts';
import { readPosts } from './v3/posts/read-posts.ts';
import { reviewPosts } from './v3/posts/review-posts.ts';
import { queryReactions } from './v3/reactions/query-reactions.ts';
import { readRoles } from './v3/roles/read-roles.ts';
import { checkSession } from './v3/sessions/check-session.ts';
import { readUsers } from './v3/users/read-users.ts';
import { updateUser } from './v3/users/update-user.ts';
import { recordWatchTime, videoStreams } from './v3/video-streaming/video-streams.ts';
import { mintAuthToken } from './v4/authentication/mint-auth-token.ts';
import { listChannelUsers } from './v4/channels/list-channel-users.ts';
import { deleteComment } from './v4/comments/delete-comment.ts';
import { changeCommunityRoles } from './v4/communities/change-community-roles.ts';
import { joinRequests } from './v4/communities/join-requests.ts';
import { writePosts } from './v4/posts/write-posts.ts';
import { revokeSession } from './v4/sessions/revoke-session.ts';
import { readStories } from './v4/stories/read-stories.ts';
import { writeStories } from './v4/stories/write-stories.ts';
import { blockUser } from './v4/users/block-user.ts';
import { flagUser } from './v4/users/flag-user.ts';
import { follows } from './v5/follows/follows.ts';
import { readMessageFeeds } from './v5/message-feeds/read-message-feeds.ts';
import { writeMessageFeeds } from './v5/message-feeds/write-message-feeds.ts';
import { flagMessage } from './v5/messages/flag-message.ts';
import { readMessages } from './v5/messages/read-messages.ts';
import { writeMessages } from './v5/messages/write-messages.ts';
import { queryFeeds, queryPosts } from './v5/posts/query-posts.ts';
import { createSession, createVisitorSessions, refreshSession } from './v5/sessions/create-session.ts';
import { listStoryTargets } from './v5/story-targets/list-story-targets.ts';

/** Every route of the REST interface. */
export const ROUTES: readonly Route[] = [
  ...createSession,
  ...createVisitorSessions,
  refreshSession,
  revokeSession,
  checkSession,
  ...pushDevices,
  ...mintAuthToken,
  ...networkSettings,
  ...verifyContent,
  linkPreview,
  listAds,
  ...readPosts,
  ...flagPost,
  ...queryPosts,
  ...queryFeeds,
  ...writePosts,
  ...reviewPosts,
  recordViews,
  ...listViewers,
  contentFeed,
  ...pinPost,
  ...listPinnedPosts,
  ...search,
  queryComments,
  ...changeCommunityRoles,
  listStoryTargets,
  ...listChannelUsers,
  ...readChannels,
  ...changeChannelRoles,
  ...readMessageFeeds,
  ...readMessages,
  ...writeMessages,
  ...writeMessageFeeds,
  ...markChannelsSeen,
  ...writeChannels,
  ...changeChannelMembers,
  ...muteChannel,
  ...flagMessage,
  ...moveMarkers,
  ...readMarkers,
  ...listMessageReaders,
  ...readComments,
  ...writeComments,
  deleteComment,
  ...flagComment,
  ...addReaction,
  addLiveReactions,
  queryReactions,
  ...polls,
  ...readCommunities,
  ...writeCommunities,
  ...changeCommunityMembers,
  listCommunityUsers,
  ...joinRequests,
  ...readCategories,
  ...readUsers,
  updateUser,
  ...flagUser,
  ...blockUser,
  ...follows,
  ...readRoles,
  getFile,
  updateFile,
  deleteFile,
  ...readStories,
  ...writeStories,
  ...videoStreams,
  recordWatchTime,
];
