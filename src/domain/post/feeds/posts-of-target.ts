import type { Filter } from 'mongodb';
import { canSeeInsideCommunity } from '../../../access/community.ts';
import { canSeeUserFeed } from '../../../access/follow.ts';
import { canModeratePosts, canSeePost } from '../../../access/post.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { emptyPage, type Page, type PageRequest, readPage } from '../../../store/page.ts';
import type { PostRecord } from '../../../store/records/content.ts';
import type { FeedType } from '../../../store/records/user.ts';
import { filterValues } from '../../unique-ids.ts';
import { placeOfPost } from '../get-post.ts';
import { type PostSort, postOrder } from './post-order.ts';
import { withoutBlockedAuthors } from './visible-posts.ts';

export interface PostFilter {
  /** @default published */
  feedType?: FeedType | null | undefined;
  /** null lists both; deleted posts are visible to moderators only. @default false */
  isDeleted?: boolean | null | undefined;
  /** true: only flagged posts, visible to moderators; false: only posts without flags. */
  hasFlag?: boolean | null | undefined;
  /** Any of these; empty is no condition. */
  dataTypes?: readonly string[] | null | undefined;
  /** Any of these; empty is no condition. */
  tags?: readonly string[] | null | undefined;
  /** Whether to omit child posts. @default true */
  parentsOnly?: boolean | null | undefined;
}

export interface PostsOfTarget extends PostFilter {
  target: Pick<PostRecord, 'targetType' | 'targetId'>;
  sort?: PostSort | null | undefined;
  request: PageRequest;
}

/**
 * The posts of a community or of a user's own feed. Users who see the target see published posts; authors also see
 * their own posts in review and declined posts; moderators see all, deleted ones included.
 */
export async function postsOfTarget(context: Context, query: PostsOfTarget): Promise<Page<PostRecord>> {
  const viewer = viewerOf(context);
  const { target, request } = query;
  const order = postOrder(query.sort ?? 'lastCreated');
  const place = await placeOfPost(context, target);
  if (target.targetType === 'community') {
    const { community, membership } = place;
    if (!community || !canSeeInsideCommunity(viewer, community, membership)) return emptyPage(order);
  }
  if (place.privacy && !canSeeUserFeed(viewer, target.targetId, place.privacy)) return emptyPage(order);
  const moderates = canModeratePosts(viewer, place);
  const feedType = query.feedType ?? 'published';
  if (!moderates && (query.isDeleted === true || query.hasFlag === true)) return emptyPage(order);
  const filter: Filter<PostRecord> = { networkId: viewer.networkId, ...target, feedType, ...conditionsOf(query) };
  if (!moderates) {
    filter.isDeleted = false;
    if (feedType !== 'published') filter.postedUserId = viewer.userId;
  }
  return readPage<PostRecord>({
    collection: context.store.collections.posts,
    budget: context.reads,
    filter,
    order,
    request,
    visible: (posts) =>
      withoutBlockedAuthors(
        context,
        posts.filter((post) => canSeePost(viewer, post, place)),
      ),
  });
}

/** The conditions of a filter that are independent of access. Values are strings, as the schema validated them. */
export function conditionsOf({
  isDeleted = false,
  hasFlag,
  dataTypes,
  tags,
  parentsOnly = true,
}: PostFilter): Filter<PostRecord> {
  const filter: Filter<PostRecord> = {};
  if (isDeleted != null) filter.isDeleted = isDeleted;
  if (hasFlag != null) filter.flagCount = hasFlag ? { $gt: 0 } : 0;
  if (dataTypes?.length) filter.dataType = { $in: filterValues('dataTypes', dataTypes) };
  if (tags?.length) filter.tags = { $in: filterValues('tags', tags) };
  if (parentsOnly) filter.parentPostId = null;
  return filter;
}
