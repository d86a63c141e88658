import { canPinPosts } from '../../../access/pin.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import { appendEvents } from '../../../events/append-events.ts';
import type { PinTargetRecord } from '../../../store/records/community.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { findInsideCommunity } from '../../community/get-community.ts';
import { actOnPost } from '../act-on-post.ts';
import { postEvent } from '../post-events.ts';
import { invalidatePin, type PinPostInput, pinsLock, requirePinRight, touchPinTarget } from './pin-post.ts';

/**
 * Removes a pin, also the pin of a post that no longer exists.
 * @throws {OperationError} NOT_FOUND if there is no such pin or the viewer does not see the community; FORBIDDEN
 *   without PIN_COMMUNITY_POST
 */
export async function unpinPost(context: Context, input: PinPostInput): Promise<{ pinTarget: PinTargetRecord }> {
  const { communityId, placement, postId } = input;
  const viewer = viewerOf(context);
  const [place, post] = await Promise.all([findInsideCommunity(context, communityId), context.load.posts.load(postId)]);
  if (!place) throw notFound('Community');
  if (!canPinPosts(viewer, place))
    throw new OperationError('FORBIDDEN', { message: 'You cannot unpin posts in this community.' });
  const where = { networkId: viewer.networkId, targetType: 'community' as const, targetId: communityId, placement };
  const pinTarget = await context.transaction(
    async (session) => {
      await requirePinRight(context, session, place);
      const { deletedCount } = await context.store.collections.pins.deleteOne(
        { ...where, referenceId: postId },
        { session },
      );
      if (deletedCount === 0) throw notFound('Pin');
      const touched = await touchPinTarget(context, session, input);
      const unpinned = { subjectType: 'post', subjectId: postId, communityId } as const;
      await recordAudit(context, session, [{ ...(post ? actOnPost(post) : unpinned), details: { placement } }]);
      if (post) await appendEvents(context, session, [postEvent('post.unpinned', post)]);
      return touched;
    },
    pinsLock(context, input),
  );
  invalidatePin(context, input);
  return { pinTarget };
}
