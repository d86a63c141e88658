import type { ClientSession } from 'mongodb';
import type { Context } from '../../../context.ts';
import type { PostRecord } from '../../../store/records/content.ts';

type Parent = Pick<PostRecord, 'networkId' | 'postId'>;

/** The live child posts of a post in the order of creation; there are at most a few. */
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
 * Ids of all child posts of a post, deleted ones included. Writes name child posts by id, so that each reaches only the
 * shards that hold them.
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
