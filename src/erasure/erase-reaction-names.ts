import { MAX_BATCH } from '../domain/batch.ts';
import { DELETED_USER_NAME } from '../store/records/anonymous-profile.ts';
import type { ErasureStep } from './erasure-run.ts';

/** Replaces the name of the person in messages whose latest reaction is theirs. */
export const eraseReactionNamesStep: ErasureStep = {
  name: 'reactionNames',
  async run(run) {
    const { networkId, userId } = run.erasure;
    const { messages } = run.newContext().store.collections;
    const reacted = { networkId, 'latestReaction.userId': userId };
    for (;;) {
      await run.proceed();
      const found = await messages
        .find({ ...reacted, 'latestReaction.userDisplayName': { $ne: DELETED_USER_NAME } })
        .project({ messageFeedId: 1, segment: 1 })
        .limit(MAX_BATCH)
        .toArray();
      if (found.length === 0) return;
      for (const { messageFeedId, segment } of found) {
        await messages.updateOne(
          { ...reacted, messageFeedId, segment },
          { $set: { 'latestReaction.userDisplayName': DELETED_USER_NAME } },
        );
      }
    }
  },
};
