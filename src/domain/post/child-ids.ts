import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import type { PostRecord } from '../../store/records/content.ts';

/**
 * Ids of all child posts of a post, also of those that are deleted. Writes name children by these, so that each reaches
 * the shards of its records alone.
 */
export async function childIdsOf(
  context: Context,
  session: ClientSession,
  { networkId, postId }: Pick<PostRecord, 'networkId' | 'postId'>,
): Promise<string[]> {
  const children = await context.store.collections.posts
    .find({ networkId, parentPostId: postId }, { session, projection: { postId: 1 } })
    .toArray();
  return children.map((child) => child.postId);
}
