import { canSeeUserFeed, type FeedPrivacy, PUBLIC_FEED } from '../../../access/follow.ts';
import { type Context, viewerOf } from '../../../context.ts';
import type { UserRecord } from '../../../store/records/user.ts';
import type { Store } from '../../../store/store.ts';

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
 * profiles, except to refresh the cached settings, and does not depend on the reader there: renderings of events can be
 * shared.
 */
export async function feedPrivacy(
  { load, store }: Pick<Context, 'load' | 'store'>,
  reader: Pick<UserRecord, 'networkId' | 'userId'>,
  ownerId: string,
): Promise<FeedPrivacy> {
  if (!(await hasPrivateFeeds(store, reader.networkId)) || ownerId === reader.userId) return PUBLIC_FEED;
  const follow = await load.follows.load([reader.userId, ownerId]);
  return { isPrivate: true, isFollower: follow?.status === 'accepted' };
}

/** Whether the viewer may see the feed of a user. */
export async function seesFeedOfUser(context: Context, ownerId: string): Promise<boolean> {
  const viewer = viewerOf(context);
  const privacy = await feedPrivacy(context, viewer, ownerId);
  return canSeeUserFeed(viewer, ownerId, privacy);
}
