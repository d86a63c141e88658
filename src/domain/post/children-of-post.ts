import { type Context, viewerOf } from '../../context.ts';
import { emptyPage, type Page, type PageRequest, readPage } from '../../store/page.ts';
import type { PostRecord } from '../../store/records/content.ts';
import { postOrder } from './post-order.ts';
import { visiblePosts } from './visible-posts.ts';

/** The child posts of a post that the viewer sees, in the order of their making; a post without any costs no command. */
export async function childrenOfPost(
  context: Context,
  post: PostRecord,
  request: PageRequest,
): Promise<Page<PostRecord>> {
  const { networkId } = viewerOf(context);
  const order = postOrder('firstCreated');
  if (post.childrenNumber === 0) return emptyPage(order);
  return readPage<PostRecord>({
    collection: context.store.collections.posts,
    filter: { networkId, parentPostId: post.postId, isDeleted: false },
    order,
    request,
    visible: (posts) => visiblePosts(context, posts),
  });
}
