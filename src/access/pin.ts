import type { Viewer } from '../context.ts';
import type { PostRecord } from '../store/records/content.ts';
import { mayInCommunity } from './community.ts';
import { canSeePost, type PostPlace } from './post.ts';

/** Whether the viewer pins and unpins posts in the community. */
export function canPinPosts(viewer: Viewer, place: PostPlace): boolean {
  return place.community !== null && mayInCommunity(viewer, place.membership, 'PIN_COMMUNITY_POST');
}

/** Pins are visible with their post; pins of deleted posts are hidden, also from moderators. */
export function canSeePinOf(viewer: Viewer, post: PostRecord | null, place: PostPlace): boolean {
  return post !== null && !post.isDeleted && canSeePost(viewer, post, place);
}
