import { type Context, viewerOf } from '../../context.ts';
import type { StorySeenRecord, StoryTargetRecord } from '../../store/records/content.ts';
import { findInsideCommunity } from '../community/get-community.ts';

/** What the viewer has seen of a target's stories; null before the first. */
export async function seenOfTarget(
  context: Context,
  target: Pick<StoryTargetRecord, 'targetType' | 'targetId'>,
): Promise<StorySeenRecord | null> {
  const seens = await context.load.storySeens.load([viewerOf(context).userId, target.targetId]);
  return seens?.find((seen) => seen.targetType === target.targetType) ?? null;
}

/** One story target, when the viewer sees the community; the stories of users are for everybody in the network. */
export async function getStoryTarget(
  context: Context,
  { targetType, targetId }: Pick<StoryTargetRecord, 'targetType' | 'targetId'>,
): Promise<StoryTargetRecord | null> {
  const { networkId } = viewerOf(context);
  if (targetType === 'community' && !(await findInsideCommunity(context, targetId))) return null;
  return context.store.collections.storyTargets.findOne({ networkId, targetType, targetId });
}
