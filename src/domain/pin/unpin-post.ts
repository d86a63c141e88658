import { canPinPosts } from '../../access/pin.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import type { PinTargetRecord } from '../../store/records/community.ts';
import { findInsideCommunity } from '../community/get-community.ts';
import { type PinPostInput, pinsTurn, touchPinTarget } from './pin-post.ts';

/**
 * Takes a pin back, also one of a post that is gone.
 * @throws {OperationError} NOT_FOUND when the community or the pin is absent or not to be seen, FORBIDDEN without
 *   PIN_COMMUNITY_POST
 */
export async function unpinPost(context: Context, input: PinPostInput): Promise<{ pinTarget: PinTargetRecord }> {
  const { communityId, placement, postId } = input;
  const viewer = viewerOf(context);
  const place = await findInsideCommunity(context, communityId);
  if (!place) throw notFound('Community');
  if (!canPinPosts(viewer, place))
    throw new OperationError('FORBIDDEN', { message: 'You may not pin posts in this community.' });
  const where = { networkId: viewer.networkId, targetType: 'community' as const, targetId: communityId, placement };
  const pinTarget = await context.transaction(
    async (session) => {
      const { deletedCount } = await context.store.collections.pins.deleteOne(
        { ...where, referenceId: postId },
        { session },
      );
      if (deletedCount === 0) throw notFound('Pin');
      return touchPinTarget(context, session, input);
    },
    pinsTurn(context, input),
  );
  context.load.pinsOfPost.clear(postId);
  context.load.pinTargets.clear(['community', communityId]);
  return { pinTarget };
}
