import { type Context, viewerOf } from '../../../context.ts';
import { emptyPage, type Page, type PageRequest, readPage } from '../../../store/page.ts';
import type { PostRecord } from '../../../store/records/content.ts';
import { postOrder } from './post-order.ts';
import { visibleChildren } from './visible-children.ts';
import { visiblePosts } from './visible-posts.ts';

const ORDER = postOrder('firstCreated');

/**
 * The live child posts that the viewer sees, in the order of creation. The first page of a post that stores the ids of
 * all its children is read through the loaders, so that a list of posts reads all children together.
 */
export async function childrenOfPost(
  context: Context,
  post: PostRecord,
  request: PageRequest,
): Promise<Page<PostRecord>> {
  const { networkId } = viewerOf(context);
  if (post.childrenNumber === 0) return emptyPage(ORDER);
  const isFirstPage = !request.after && !request.before && !request.backward && request.skip === 0;
  if (isFirstPage && post.childrenNumber <= post.children.length) {
    const children = (await visibleChildren(context, post)).filter((child) => !child.isDeleted);
    const records = children.slice(0, request.limit);
    return { ...emptyPage<PostRecord>(ORDER), records, hasNextPage: children.length > records.length };
  }
  return readPage<PostRecord>({
    collection: context.store.collections.posts,
    budget: context.reads,
    filter: { networkId, parentPostId: post.postId, isDeleted: false },
    order: ORDER,
    request,
    visible: (posts) => visiblePosts(context, posts),
  });
}
