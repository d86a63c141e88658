import type { Context } from '../../../context.ts';
import type { Page } from '../../../store/page.ts';
import type { PostRecord } from '../../../store/records/content.ts';
import { recordsByIds } from '../../records-by-ids.ts';
import { type PostsOfTarget, postsOfTarget } from './posts-of-target.ts';
import { requireTarget } from './require-target.ts';
import { type UserFeed, userFeed } from './user-feed.ts';
import { visiblePosts } from './visible-posts.ts';

export type PostQuery = PostsOfTarget & Pick<UserFeed, 'sources'>;

/**
 * As {@link postsOfTarget} and {@link userFeed}, for a target given by id.
 * @throws {OperationError} NOT_FOUND when the viewer does not see the community or user
 */
export async function queryPosts(context: Context, query: PostQuery): Promise<Page<PostRecord>> {
  const { targetType, targetId } = query.target;
  await requireTarget(context, query.target);
  return targetType === 'user' ? userFeed(context, { ...query, userId: targetId }) : postsOfTarget(context, query);
}

/**
 * Posts by ids, in the order of the ids, without those the viewer does not see.
 * @throws {OperationError} INVALID_PARAMETERS for more than {@link MAX_IDS} ids
 */
export async function postsByIds(context: Context, { postIds }: { postIds: readonly string[] }): Promise<PostRecord[]> {
  const posts = await recordsByIds(postIds, { name: 'postIds' }, (postId) => context.load.posts.load(postId));
  return visiblePosts(context, posts);
}
