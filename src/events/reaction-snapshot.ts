import type { ReactionRecord } from '../store/records/content.ts';
import type { ReactionSnapshot } from './event-payloads.ts';

/** The fields of a reaction that its event stores. */
export function reactionSnapshot(reaction: ReactionRecord): ReactionSnapshot {
  const { reactionId, reactionName, userId, userInternalId, createdAt } = reaction;
  return { reactionId, reactionName, userId, userInternalId, createdAt };
}
