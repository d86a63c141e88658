import type { Viewer } from '../context.ts';
import type { UserRecord } from '../store/records/user.ts';
import { mayInNetwork } from './network.ts';

/** How the feed of a user is protected from the viewer. */
export interface FeedPrivacy {
  /** Whether the network lets only accepted followers read the feed of a user. */
  isPrivate: boolean;
  /** Whether the owner of the feed has accepted the viewer as a follower. */
  isFollower: boolean;
}

/** The feed of a user in a network with public profiles. */
export const PUBLIC_FEED: FeedPrivacy = { isPrivate: false, isFollower: false };

/** Users cannot follow themselves. */
export function canFollowUser(viewer: Viewer, user: Pick<UserRecord, 'userId' | 'isDeleted'>): boolean {
  return user.userId !== viewer.userId && !user.isDeleted;
}

/** A private feed is visible to its owner, their accepted followers and moderators of user feeds. */
export function canSeeUserFeed(viewer: Viewer, userId: string, { isPrivate, isFollower }: FeedPrivacy): boolean {
  return !isPrivate || isFollower || userId === viewer.userId || mayInNetwork(viewer, 'EDIT_USER_FEED_POST');
}

/** Follow requests are visible to both users and to users with EDIT_USER. */
export function canSeeFollowRequests(viewer: Viewer, { userId }: Pick<UserRecord, 'userId'>): boolean {
  return userId === viewer.userId || mayInNetwork(viewer, 'EDIT_USER');
}

/** Changes of a follow are delivered to both users and to users with EDIT_USER. */
export function canSeeFollowEvent(viewer: Viewer, follow: { fromUserId: string; toUserId: string }): boolean {
  const { fromUserId, toUserId } = follow;
  return fromUserId === viewer.userId || toUserId === viewer.userId || mayInNetwork(viewer, 'EDIT_USER');
}
