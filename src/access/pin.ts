import type { Viewer } from '../context.ts';
import type { PostRecord } from '../store/records/content.ts';
import { mayInCommunity } from './community.ts';
import { canSeePost, type PostPlace } from './post.ts';

/** Whether the viewer may pin posts in the community, and take pins back. */
export function canPinPosts(viewer: Viewer, place: PostPlace): boolean {
  return place.community !== null && mayInCommunity(viewer, place.membership, 'PIN_COMMUNITY_POST');
}

/** A pin shows what it pins: it is hidden with its post, also from moderators once the post is deleted. */
export function canSeePinOf(viewer: Viewer, post: PostRecord | null, place: PostPlace): boolean {
  return post !== null && !post.isDeleted && canSeePost(viewer, post, place);
}
