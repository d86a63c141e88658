import type { StoryRecord, StoryTargetRecord } from '../../store/records/content.ts';
import { baseRecord } from '../builders/base.ts';
import type { SampleContext } from '../context.ts';
import { latest } from './content.ts';

/** One target for each community or user with a story that is not deleted. */
export function storyTargetsOf(context: SampleContext, stories: StoryRecord[]): StoryTargetRecord[] {
  const targets = new Map<string, StoryTargetRecord>();
  for (const story of stories) {
    if (story.isDeleted) continue;
    const { targetType, targetId, createdAt, expiresAt } = story;
    const name = `${targetType}/${targetId}`;
    const target = targets.get(name) ?? {
      ...baseRecord(context, { kind: 'storyTarget', name }, { createdAt }),
      targetType,
      targetId,
      targetUpdatedAt: createdAt,
      lastStoryExpiresAt: expiresAt,
    };
    target.targetUpdatedAt = latest(target.targetUpdatedAt, createdAt);
    target.updatedAt = target.targetUpdatedAt;
    target.lastStoryExpiresAt = latest(target.lastStoryExpiresAt, expiresAt);
    targets.set(name, target);
  }
  return [...targets.values()];
}
