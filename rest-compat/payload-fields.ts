/** Fields of mutation payloads that several routes select; aliases are the names of side arrays. */

export const USER = 'users: user { ...UserWithAvatar }';
export const FOLLOW =
  'follows: follow { ...FollowWithUsers } users: user { ...UserWithAvatar followCounts { ...FollowCountsRecord } }';
export const USER_AND_FOLLOW =
  'users: user { ...UserWithAvatar followCounts { ...FollowCountsRecord } follows: viewerFollow { ...FollowRecord } }';
export const POST = 'posts: post { ...PostInFull }';
export const COMMENT = 'comments: comment { ...CommentThread }';
export const COMMUNITY_AND_USERS =
  'communities: community { ...CommunityInFull } communityUsers: members { ...CommunityUserWithUser }';
/** With the caller's membership after the changed ones: published clients derive `isJoined` from it. */
export const COMMUNITY_USERS_AND_VIEWER = `${COMMUNITY_AND_USERS}
  caller: community { communityId communityUsers: viewerMembership { ...CommunityUserWithUser } }`;
export const JOINED_COMMUNITY =
  'communities: community { ...CommunityInFull } communityUsers: member { _id: internalId ...CommunityUserWithUser } joinRequests: joinRequest { ...JoinRequestWithUsers }';
export const JOIN_REQUEST_AND_COMMUNITY =
  'communities: community { ...CommunityInFull } communityUsers: member { ...CommunityUserWithUser } joinRequests: joinRequest { ...JoinRequestWithUsers }';
export const CHANNEL = 'channel { ...ChannelWithLinks }';
export const CHANNEL_AND_USERS = `${CHANNEL} channelUsers { ...ChannelUserWithUser }`;
export const MESSAGE = 'messages: chatMessage { ...MessageInFull }';

/** Adds the `success` that clients read from the answers of some writes. */
export const withSuccess = (body: { [key: string]: unknown }) => ({ ...body, success: true });
