import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';

/** Sets whether a community has a flagged post. */
export async function markFlaggedPost(
  context: Context,
  session: ClientSession,
  { communityId, hasFlaggedPost }: { communityId: string; hasFlaggedPost: boolean },
): Promise<void> {
  const { networkId } = viewerOf(context);
  const marks = { hasFlaggedPost, flagsChangedAt: context.now() };
  await context.store.collections.communities.updateOne({ networkId, communityId }, { $set: marks }, { session });
}
