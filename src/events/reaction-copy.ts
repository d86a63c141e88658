import type { ReactionRecord } from '../store/records/content.ts';
import type { ReactionCopy } from './kinds.ts';

/** What an event keeps of a reaction. */
export function copyOfReaction(reaction: ReactionRecord): ReactionCopy {
  const { reactionId, reactionName, userId, userInternalId, createdAt } = reaction;
  return { reactionId, reactionName, userId, userInternalId, createdAt };
}
