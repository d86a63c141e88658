import { canModeratePosts } from '../../../access/post.ts';
import { type Context, viewerOf } from '../../../context.ts';
import type { CommunityRecord } from '../../../store/records/community.ts';
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

export function feedOfUser(user: UserRecord, feedId: string): OwnedFeed | null {
  const feed = user.feeds.find((candidate) => candidate.feedId === feedId);
  return feed ? { ...feed, targetType: 'user', targetId: user.userId } : null;
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
