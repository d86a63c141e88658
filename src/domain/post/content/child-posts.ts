import type { ClientSession } from 'mongodb';
import type { Context } from '../../../context.ts';
import type { PostRecord } from '../../../store/records/content.ts';

type Parent = Pick<PostRecord, 'networkId' | 'postId'>;

/** The child posts of a post that are not deleted, in the order of their making; a post has few. */
export function liveChildrenOf(
  context: Context,
  { networkId, postId }: Parent,
  session?: ClientSession,
): Promise<PostRecord[]> {
  return context.store.collections.posts
    .find({ networkId, parentPostId: postId, isDeleted: false }, { ...(session && { session }) })
    .sort({ createdAt: 1, _id: 1 })
    .toArray();
}

/**
 * Ids of all child posts of a post, also of those that are deleted. Writes name children by these, so that each reaches
 * the shards of its records alone.
 */
export async function childIdsOf(
  context: Context,
  session: ClientSession,
  { networkId, postId }: Parent,
): Promise<string[]> {
  const children = await context.store.collections.posts
    .find({ networkId, parentPostId: postId }, { session, projection: { postId: 1 } })
    .toArray();
  return children.map((child) => child.postId);
}
