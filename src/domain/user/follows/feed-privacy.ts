import { canSeeUserFeed, type FeedPrivacy } from '../../../access/follow.ts';
import { type Context, viewerOf } from '../../../context.ts';
import type { Store } from '../../../store/store.ts';

const PUBLIC: FeedPrivacy = { isPrivate: false, isFollower: false };

/** Whether users of the network approve their followers, who alone see their feeds. */
export async function hasPrivateFeeds(
  { networkCache }: Pick<Store, 'networkCache'>,
  networkId: string,
): Promise<boolean> {
  const settings = await networkCache.settingsOf(networkId);
  return settings?.social.userPrivacySetting === 'private';
}

/**
 * Whether the feed of a user is private, and whether a reader follows them. Sends no command in networks with public
 * profiles, except to refresh the cached settings.
 */
export async function feedPrivacy(
  { load, store }: Pick<Context, 'load' | 'store'>,
  networkId: string,
  { ownerId, readerId }: { ownerId: string; readerId: string },
): Promise<FeedPrivacy> {
  if (ownerId === readerId || !(await hasPrivateFeeds(store, networkId))) return PUBLIC;
  const follow = await load.follows.load([readerId, ownerId]);
  return { isPrivate: true, isFollower: follow?.status === 'accepted' };
}

/** Whether the viewer may see the feed of a user. */
export async function seesFeedOfUser(context: Context, ownerId: string): Promise<boolean> {
  const viewer = viewerOf(context);
  const privacy = await feedPrivacy(context, viewer.networkId, { ownerId, readerId: viewer.userId });
  return canSeeUserFeed(viewer, ownerId, privacy);
}
