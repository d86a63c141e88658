import { type Context, viewerOf } from '../../context.ts';
import type { StorySeenRecord, StoryTargetRecord } from '../../store/records/content.ts';
import { findInsideCommunity } from '../community/get-community.ts';
import { seesFeedOfUser } from '../user/follows/feed-privacy.ts';

/** The stories of a target that the viewer has seen; null for none. */
export async function seenOfTarget(
  context: Context,
  target: Pick<StoryTargetRecord, 'targetType' | 'targetId'>,
): Promise<StorySeenRecord | null> {
  const seens = await context.load.storySeens.load([viewerOf(context).userId, target.targetId]);
  return seens?.find((seen) => seen.targetType === target.targetType) ?? null;
}

/**
 * A story target; null when the viewer does not see the community or the feed of the user.
 */
export async function getStoryTarget(
  context: Context,
  { targetType, targetId }: Pick<StoryTargetRecord, 'targetType' | 'targetId'>,
): Promise<StoryTargetRecord | null> {
  const { networkId } = viewerOf(context);
  const isVisible =
    targetType === 'community' ? await findInsideCommunity(context, targetId) : await seesFeedOfUser(context, targetId);
  if (!isVisible) return null;
  return context.store.collections.storyTargets.findOne({ networkId, targetType, targetId });
}
