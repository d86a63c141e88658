import type { ClientSession } from 'mongodb';
import { MongoServerError, ObjectId } from 'mongodb';
import { z } from 'zod';
import { canPinPosts } from '../../../access/pin.ts';
import { canSeePost } from '../../../access/post.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import { appendEvents } from '../../../events/append-events.ts';
import type { PinRecord, PinTargetRecord } from '../../../store/records/community.ts';
import type { PostRecord } from '../../../store/records/content.ts';
import type { TransactionOptions } from '../../../store/transaction.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { communityIdInput } from '../../community/community-fields.ts';
import { type CommunityPlace, findInsideCommunity } from '../../community/get-community.ts';
import { requireCommunityRight } from '../../community/members/require-community-right.ts';
import { id } from '../../input.ts';
import { actOnPost } from '../act-on-post.ts';
import { postEvent } from '../post-events.ts';
import { lockPostForPin } from './lock-post-for-pin.ts';

/** Lists of pins in a community, see `docs/interface.md#pin-post`. */
export const COMMUNITY_PLACEMENTS: readonly string[] = ['default', 'announcement'];

/** Maximum pins per placement of a community. */
export const MAX_PINS = 50;

export const pinPostInput = communityIdInput.extend({
  placement: z
    .enum(['default', 'announcement', 'global'])
    .describe('List of pinned posts: the default one or announcements.'),
  postId: id().describe('Public id of a published parent post of the community.'),
});
export type PinPostInput = z.input<typeof pinPostInput>;

export interface Pinned {
  pin: PinRecord;
  pinTarget: PinTargetRecord;
  post: PostRecord;
}

/**
 * Pins a published post in its community.
 *
 * @throws {OperationError} NOT_FOUND if the community does not exist, does not contain the post, or either is not
 *   visible to the viewer; FORBIDDEN without PIN_COMMUNITY_POST; BAD_REQUEST for a child post, a deleted or unpublished
 *   one, one that is already pinned there, and beyond {@link MAX_PINS}
 */
export async function pinPost(context: Context, input: PinPostInput): Promise<Pinned> {
  const { postId, placement } = input;
  const { place, post } = await pinnablePost(context, input);
  const pinned = await context.transaction(
    async (session) => {
      await requirePinRight(context, session, place);
      const pinTarget = await touchPinTarget(context, session, input);
      await requireFreePin(context, session, input);
      await lockPostForPin(context, session, { postId, pinnedAt: pinTarget.lastPinsUpdatedAt });
      const pin = newPin(context, input, pinTarget.lastPinsUpdatedAt);
      await context.store.collections.pins.insertOne(pin, { session }).catch(alreadyPinned);
      await recordAudit(context, session, [{ ...actOnPost(post), details: { placement } }]);
      await appendEvents(context, session, [postEvent('post.pinned', post)]);
      return { pin, pinTarget };
    },
    pinsLock(context, input),
  );
  invalidatePin(context, input);
  return { ...pinned, post };

  function alreadyPinned(error: unknown): never {
    if (error instanceof MongoServerError && error.code === 11_000) throw pinnedAlready(placement);
    throw error;
  }
}

/** A lock per community, since every pin in a community writes the same pin target. */
export function pinsLock(context: Context, { communityId }: { communityId: string }): TransactionOptions {
  return { key: `pins ${viewerOf(context).networkId} ${communityId}` };
}

/** Clears the pins of a post and of its community from the loaders of the request. */
export function invalidatePin(
  { load }: Context,
  { communityId, postId }: Pick<PinPostInput, 'communityId' | 'postId'>,
): void {
  load.pinsOfPost.clear(postId);
  load.pinTargets.clear(['community', communityId]);
}

/** Checks the right to pin in a transaction. @throws {OperationError} BANNED, PERMISSION_DENIED */
export async function requirePinRight(context: Context, session: ClientSession, place: CommunityPlace): Promise<void> {
  await requireCommunityRight(context, session, place, (viewer, membership) =>
    canPinPosts(viewer, { ...place, membership }),
  );
}

async function pinnablePost(
  context: Context,
  { communityId, placement, postId }: PinPostInput,
): Promise<{ place: CommunityPlace; post: PostRecord }> {
  const viewer = viewerOf(context);
  const [place, post] = await Promise.all([findInsideCommunity(context, communityId), context.load.posts.load(postId)]);
  if (!place) throw notFound('Community');
  if (!canPinPosts(viewer, place))
    throw new OperationError('FORBIDDEN', { message: 'You cannot pin posts in this community.' });
  checkPlacement(placement);
  const isInCommunity = post?.targetType === 'community' && post.targetId === communityId;
  if (!isInCommunity || !canSeePost(viewer, post, { ...place, privacy: null })) throw notFound('Post');
  const message = unpinnableReason(post);
  if (message) throw new OperationError('BAD_REQUEST', { message });
  return { place, post };
}

/** Why a post cannot be pinned, by any user; null when it can. */
export function unpinnableReason({ isDeleted, parentPostId, feedType }: PostRecord): string | null {
  if (isDeleted) return 'A deleted post cannot be pinned.';
  if (parentPostId) return 'A child post cannot be pinned.';
  return feedType === 'published' ? null : 'Only a published post can be pinned.';
}

/** @throws {OperationError} INVALID_PARAMETERS for an unknown placement */
export function checkPlacement(placement: string): void {
  if (COMMUNITY_PLACEMENTS.includes(placement)) return;
  const detail = [`placement: must be one of ${COMMUNITY_PLACEMENTS.join(', ')}`];
  throw new OperationError('INVALID_PARAMETERS', { detail, path: ['placement'] });
}

/** Precedes the count of the pins: concurrent pins in a community then conflict, and the second counts the first. */
export async function touchPinTarget(
  context: Context,
  session: ClientSession,
  { communityId }: { communityId: string },
): Promise<PinTargetRecord> {
  const now = context.now();
  const target = { networkId: viewerOf(context).networkId, targetType: 'community' as const, targetId: communityId };
  const touched = await context.store.collections.pinTargets.findOneAndUpdate(
    target,
    { $set: { lastPinsUpdatedAt: now, updatedAt: now }, $setOnInsert: { createdAt: now } },
    { upsert: true, returnDocument: 'after', session },
  );
  return touched!;
}

/** @throws {OperationError} BAD_REQUEST if the post is already pinned or the placement is full */
async function requireFreePin(
  context: Context,
  session: ClientSession,
  { communityId, placement, postId }: PinPostInput,
): Promise<void> {
  const place = {
    networkId: viewerOf(context).networkId,
    targetType: 'community' as const,
    targetId: communityId,
    placement,
  };
  const pins = await context.store.collections.pins
    .find(place, { session, projection: { referenceId: 1 } })
    .limit(MAX_PINS)
    .toArray();
  if (pins.some((pin) => pin.referenceId === postId)) throw pinnedAlready(placement);
  if (pins.length >= MAX_PINS)
    throw new OperationError('BAD_REQUEST', { message: `At most ${MAX_PINS} posts are pinned in one placement.` });
}

function pinnedAlready(placement: string): OperationError {
  return new OperationError('BAD_REQUEST', { message: `This post is already pinned in ${placement}.` });
}

function newPin(context: Context, { communityId, placement, postId }: PinPostInput, now: Date): PinRecord {
  const { networkId, userId } = viewerOf(context);
  const place = { networkId, targetType: 'community' as const, targetId: communityId, placement };
  const reference = { referenceType: 'post' as const, referenceId: postId };
  return {
    _id: new ObjectId(),
    ...place,
    ...reference,
    pinnedBy: userId,
    pinnedAt: now,
    createdAt: now,
    updatedAt: now,
  };
}
