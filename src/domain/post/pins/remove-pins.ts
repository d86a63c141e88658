import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../../context.ts';
import type { PostRecord } from '../../../store/records/content.ts';
import { invalidatePin, touchPinTarget } from './pin-post.ts';

/** Removes all pins of a post, in its community and in the network, in the transaction that deletes the post. */
export async function removePinsOfPost(
  context: Context,
  session: ClientSession,
  { postId, targetType, targetId }: Pick<PostRecord, 'postId' | 'targetType' | 'targetId'>,
): Promise<void> {
  const { networkId } = viewerOf(context);
  const { pins } = context.store.collections;
  const inNetwork = { networkId, targetType: 'network' as const, targetId: networkId, referenceId: postId };
  await pins.deleteMany(inNetwork, { session });
  if (targetType !== 'community') return;
  const { deletedCount } = await pins.deleteMany({ networkId, targetType, targetId, referenceId: postId }, { session });
  if (deletedCount > 0) await touchPinTarget(context, session, { communityId: targetId });
  invalidatePin(context, { communityId: targetId, postId });
}
