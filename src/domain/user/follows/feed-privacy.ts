import { canSeeUserFeed, type FeedPrivacy, PUBLIC_FEED } from '../../../access/follow.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { type MaybePromise, whenLoaded } from '../../../lib/maybe-promise.ts';
import type { UserRecord } from '../../../store/records/user.ts';
import type { Store } from '../../../store/store.ts';

/** Whether users of the network approve their followers, who alone see their feeds. */
export function hasPrivateFeeds(
  { networkCache }: Pick<Store, 'networkCache'>,
  networkId: string,
): MaybePromise<boolean> {
  return whenLoaded(
    networkCache.settingsOf(networkId),
    (settings) => settings?.social.userPrivacySetting === 'private',
  );
}

/**
 * Whether the feed of a user is private, and whether a reader follows them. Sends no command in networks with public
 * profiles, except to refresh the cached settings, and does not depend on the reader there: renderings of events can be
 * shared.
 */
export function feedPrivacy(
  { load, store }: Pick<Context, 'load' | 'store'>,
  reader: Pick<UserRecord, 'networkId' | 'userId'>,
  ownerId: string,
): MaybePromise<FeedPrivacy> {
  return whenLoaded(hasPrivateFeeds(store, reader.networkId), (isPrivate) => {
    if (!isPrivate || ownerId === reader.userId) return PUBLIC_FEED;
    return whenLoaded(load.follows.load([reader.userId, ownerId]), (follow) => ({
      isPrivate: true,
      isFollower: follow?.status === 'accepted',
    }));
  });
}

/** Whether the viewer may see the feed of a user. */
export function seesFeedOfUser(context: Context, ownerId: string): MaybePromise<boolean> {
  const viewer = viewerOf(context);
  return whenLoaded(feedPrivacy(context, viewer, ownerId), (privacy) => canSeeUserFeed(viewer, ownerId, privacy));
}
