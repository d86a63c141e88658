import type { Viewer } from '../context.ts';
import type { PostRecord } from '../store/records/content.ts';
import { mayInCommunity } from './community.ts';
import { canSeePost, type ModeratedPlace, type PostPlace } from './post.ts';

/** Whether the viewer pins and unpins posts in the community. */
export function canPinPosts(viewer: Viewer, place: ModeratedPlace): boolean {
  return place.community !== null && mayInCommunity(viewer, place.membership, 'PIN_COMMUNITY_POST');
}

/** Pins are visible with their post; pins of deleted posts are hidden, also from moderators. */
export function canSeePinOf(viewer: Viewer, post: PostRecord, place: PostPlace): boolean {
  return !post.isDeleted && canSeePost(viewer, post, place);
}
