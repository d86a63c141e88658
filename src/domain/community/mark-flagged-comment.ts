import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';

/** Sets whether a community has a flagged comment. */
export async function markFlaggedComment(
  context: Context,
  session: ClientSession,
  { communityId, hasFlaggedComment }: { communityId: string; hasFlaggedComment: boolean },
): Promise<void> {
  const { networkId } = viewerOf(context);
  const marks = { hasFlaggedComment, flagsChangedAt: context.now() };
  await context.store.collections.communities.updateOne({ networkId, communityId }, { $set: marks }, { session });
}
