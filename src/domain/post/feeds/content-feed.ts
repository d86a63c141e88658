import { type Context, viewerOf } from '../../../context.ts';
import { type Page, type PageRequest, readPage } from '../../../store/page.ts';
import type { PostRecord } from '../../../store/records/content.ts';
import { type PostSort, postOrder } from './post-order.ts';
import { conditionsOf, type PostFilter } from './posts-of-target.ts';
import { moderatedPosts, visiblePosts, withoutBlockedAuthors } from './visible-posts.ts';

export interface ContentFeed extends Pick<PostFilter, 'isDeleted' | 'hasFlag' | 'dataTypes'> {
  sort?: PostSort | null | undefined;
  request: PageRequest;
}

/**
 * Published parent posts of the network that the viewer sees: their own, and those on users' feeds, in public
 * communities and in private communities they joined. Deleted posts appear where the viewer moderates; `hasFlag: true`
 * lists only posts that the viewer moderates.
 */
export function contentFeed(context: Context, query: ContentFeed): Promise<Page<PostRecord>> {
  const { networkId } = viewerOf(context);
  return readPage<PostRecord>({
    collection: context.store.collections.posts,
    budget: context.reads,
    filter: { networkId, feedType: 'published', ...conditionsOf({ ...query, parentsOnly: true }) },
    order: postOrder(query.sort ?? 'lastCreated'),
    request: query.request,
    visible: async (posts) =>
      query.hasFlag
        ? moderatedPosts(context, posts)
        : withoutBlockedAuthors(context, await visiblePosts(context, posts)),
  });
}
