import { type Context, viewerOf } from '../../context.ts';
import { type Page, type PageRequest, readPage } from '../../store/page.ts';
import type { StoryTargetRecord } from '../../store/records/content.ts';
import { findInsideCommunity } from '../community/get-community.ts';
import { seenOfTarget } from './story-target.ts';

export type StorySeenState = 'all' | 'seen' | 'unseen';

export interface StoryTargetQuery {
  /** @default unseen */
  seenState?: StorySeenState | undefined;
  request: PageRequest;
}

/**
 * A page of visible communities with live stories, newest story first. A target is seen when the viewer saw all of its
 * live stories. Stories expire by their time stamp, without a background job.
 */
export function listStoryTargets(
  context: Context,
  { seenState = 'unseen', request }: StoryTargetQuery,
): Promise<Page<StoryTargetRecord>> {
  const { networkId } = viewerOf(context);
  return readPage({
    collection: context.store.collections.storyTargets,
    budget: context.reads,
    filter: { networkId, targetType: 'community', lastStoryExpiresAt: { $gt: context.now() } },
    order: { field: 'targetUpdatedAt', direction: -1, type: 'date' },
    request,
    visible: async (targets) => {
      const places = await Promise.all(targets.map((target) => findInsideCommunity(context, target.targetId)));
      const visible = targets.filter((_, index) => places[index] !== null);
      return seenState === 'all' ? visible : bySeenState(context, visible, seenState);
    },
  });
}

async function bySeenState(
  context: Context,
  targets: StoryTargetRecord[],
  seenState: 'seen' | 'unseen',
): Promise<StoryTargetRecord[]> {
  if (targets.length === 0) return targets;
  const [live, seens] = await Promise.all([
    liveStoryIds(context, targets),
    Promise.all(targets.map((target) => seenOfTarget(context, target))),
  ]);
  return targets.filter((target, index) => {
    const seen = new Set(seens[index]?.storyIds);
    const isSeen = (live.get(target.targetId) ?? []).every((storyId) => seen.has(storyId));
    return isSeen === (seenState === 'seen');
  });
}

async function liveStoryIds(context: Context, targets: StoryTargetRecord[]): Promise<Map<string, string[]>> {
  const { networkId } = viewerOf(context);
  const targetIds = targets.map((target) => target.targetId);
  const stories = await context.store.collections.stories
    .find({
      networkId,
      targetType: 'community',
      targetId: { $in: targetIds },
      expiresAt: { $gt: context.now() },
      isDeleted: false,
    })
    .project<{ targetId: string; storyId: string }>({ _id: 0, targetId: 1, storyId: 1 })
    .toArray();
  const byTarget = new Map<string, string[]>(targetIds.map((targetId) => [targetId, []]));
  for (const story of stories) byTarget.get(story.targetId)?.push(story.storyId);
  return byTarget;
}
