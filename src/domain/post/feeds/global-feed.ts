import type { Filter } from 'mongodb';
import { type Context, viewerOf } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { emptyPage, type Page, type PageRequest, readPage } from '../../../store/page.ts';
import type { PostRecord } from '../../../store/records/content.ts';
import { joinedCommunityIds } from '../../community/members/joined-community-ids.ts';
import { socialSettings } from '../../network/social-settings.ts';
import { followedUserIds } from '../../user/follows/followed-user-ids.ts';
import { contentFeed } from './content-feed.ts';
import { postOrder } from './post-order.ts';
import { conditionsOf, type PostFilter } from './posts-of-target.ts';
import { visiblePosts, withoutBlockedAuthors } from './visible-posts.ts';

export interface GlobalFeed extends Pick<PostFilter, 'dataTypes'> {
  request: PageRequest;
}

/** The database merges the sorted index scans of this many targets; for more it would sort the posts in memory. */
const MAX_TARGETS_PER_FILTER = 200;

/**
 * Live published parent posts of the communities that the viewer joined, of the users they follow and of their own feed,
 * newest first. The network's settings can omit some of them or include everything the viewer sees, as `contentFeed`
 * does.
 */
export async function globalFeed(context: Context, { dataTypes, request }: GlobalFeed): Promise<Page<PostRecord>> {
  const { networkId, userId } = viewerOf(context);
  const settings = await context.store.networkCache.settingsOf(networkId);
  if (!settings) throw notFound('Network');
  const { showMyPost, showCommunityPost, showFollowingPost, showEveryonePost } = socialSettings(settings).globalFeed;
  if (showEveryonePost) return contentFeed(context, { dataTypes, request });
  const [communityIds, followedIds] = await Promise.all([
    showCommunityPost ? joinedCommunityIds(context) : [],
    showFollowingPost ? followedUserIds(context) : [],
  ]);
  const shared: Filter<PostRecord> = { networkId, feedType: 'published', ...conditionsOf({ dataTypes }) };
  const filter: Filter<PostRecord>[] = [
    ...(showMyPost ? [{ ...shared, targetType: 'user' as const, targetId: userId }] : []),
    ...chunksOf(followedIds).map((ids) => ({ ...shared, targetType: 'user' as const, targetId: { $in: ids } })),
    ...chunksOf(communityIds).map((ids) => ({ ...shared, targetType: 'community' as const, targetId: { $in: ids } })),
  ];
  if (filter.length === 0) return emptyPage(postOrder('lastCreated'));
  return readPage<PostRecord>({
    collection: context.store.collections.posts,
    budget: context.reads,
    filter,
    order: postOrder('lastCreated'),
    request,
    visible: async (posts) => withoutBlockedAuthors(context, await visiblePosts(context, posts)),
  });
}

function chunksOf(ids: readonly string[]): string[][] {
  const count = Math.ceil(ids.length / MAX_TARGETS_PER_FILTER);
  return Array.from({ length: count }, (_, index) =>
    ids.slice(index * MAX_TARGETS_PER_FILTER, (index + 1) * MAX_TARGETS_PER_FILTER),
  );
}
