import { canModeratePosts } from '../../../access/post.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { type MaybePromise, whenLoaded } from '../../../lib/maybe-promise.ts';
import type { CommunityRecord } from '../../../store/records/community.ts';
import type { PostRecord } from '../../../store/records/content.ts';
import type { FeedRecord, UserRecord } from '../../../store/records/user.ts';
import { seesFeedOfUser } from '../../user/follows/feed-privacy.ts';
import { findInsideCommunity } from '../get-community.ts';

/** A feed with the target that owns it. */
export interface OwnedFeed extends FeedRecord {
  targetType: 'community' | 'user';
  targetId: string;
}

export function feedOfCommunity(community: CommunityRecord, feedId: string): OwnedFeed | null {
  const feed = community.feeds.find((candidate) => candidate.feedId === feedId);
  return feed ? { ...feed, targetType: 'community', targetId: community.communityId } : null;
}

function feedOfUser(user: UserRecord, feedId: string): OwnedFeed | null {
  const feed = user.feeds.find((candidate) => candidate.feedId === feedId);
  return feed ? { ...feed, targetType: 'user', targetId: user.userId } : null;
}

/**
 * The feed of a post that the viewer sees. Feeds of declined posts and posts in review are null for other viewers than
 * those of {@link getFeed}, also for the author of the post, since a feed shows how many posts of others it has.
 */
export function feedOfPost(
  context: Context,
  { targetType, targetId, feedId }: Pick<PostRecord, 'targetType' | 'targetId' | 'feedId'>,
): MaybePromise<OwnedFeed | null> {
  const ifSeen = (feed: OwnedFeed | null) =>
    feed && feed.feedType !== 'published' ? getFeed(context, { feedId }) : feed;
  return targetType === 'community'
    ? whenLoaded(context.load.communities.load(targetId), (owner) => ifSeen(owner && feedOfCommunity(owner, feedId)))
    : whenLoaded(context.load.users.load(targetId), (owner) => ifSeen(owner && feedOfUser(owner, feedId)));
}

/**
 * A feed by id, if the viewer sees posts of the target. Feeds of declined posts and posts in review are visible to the
 * owner and to moderators of the target.
 */
export async function getFeed(context: Context, { feedId }: { feedId: string }): Promise<OwnedFeed | null> {
  const viewer = viewerOf(context);
  const [community, user] = await Promise.all([
    context.load.communitiesByFeed.load(feedId),
    context.load.usersByFeed.load(feedId),
  ]);
  if (community) {
    const place = await findInsideCommunity(context, community.communityId);
    const feed = place && feedOfCommunity(place.community, feedId);
    return feed && (feed.feedType === 'published' || canModeratePosts(viewer, place)) ? feed : null;
  }
  const feed = user && feedOfUser(user, feedId);
  if (!user || !feed) return null;
  if (!(await seesFeedOfUser(context, user.userId))) return null;
  const owns = user.userId === viewer.userId || canModeratePosts(viewer, { community: null, membership: null });
  return feed.feedType === 'published' || owns ? feed : null;
}
