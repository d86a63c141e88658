import type { Filter } from 'mongodb';
import { type Context, viewerOf } from '../../../context.ts';
import { type Page, readPage } from '../../../store/page.ts';
import type { PostRecord } from '../../../store/records/content.ts';
import { postOrder } from './post-order.ts';
import { conditionsOf, type PostsOfTarget, postsOfTarget } from './posts-of-target.ts';
import { moderatedPosts, visiblePosts, withoutBlockedAuthors } from './visible-posts.ts';

export interface UserFeed extends Omit<PostsOfTarget, 'target'> {
  userId: string;
  /** `user`: posts on the feed of the user. `community`: posts that the user wrote in communities. @default user */
  sources?: readonly PostRecord['targetType'][] | null | undefined;
}

/** The posts on the feed of a user, those that the user wrote in communities, or both, in one order. */
export async function userFeed(context: Context, { userId, sources, ...query }: UserFeed): Promise<Page<PostRecord>> {
  if (!sources?.includes('community')) return postsOfTarget(context, { ...query, target: targetOf(userId) });
  const { networkId } = viewerOf(context);
  const feedType = query.feedType ?? 'published';
  const shared: Filter<PostRecord> = { networkId, feedType, ...conditionsOf(query) };
  const written: Filter<PostRecord> = { ...shared, targetType: 'community', postedUserId: userId };
  return readPage<PostRecord>({
    collection: context.store.collections.posts,
    budget: context.reads,
    filter: sources.includes('user') ? [{ ...shared, ...targetOf(userId) }, written] : written,
    order: postOrder(query.sort ?? 'lastCreated'),
    request: query.request,
    visible: async (posts) =>
      query.hasFlag
        ? moderatedPosts(context, posts)
        : withoutBlockedAuthors(context, await visiblePosts(context, posts)),
  });
}

const targetOf = (userId: string) => ({ targetType: 'user', targetId: userId }) as const;
