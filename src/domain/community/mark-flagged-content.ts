import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';

/** Sets whether a community has flagged posts or flagged comments. */
export async function markFlaggedContent(
  context: Context,
  session: ClientSession,
  { communityId, ...flagged }: { communityId: string } & ({ hasFlaggedPost: boolean } | { hasFlaggedComment: boolean }),
): Promise<void> {
  const { networkId } = viewerOf(context);
  const marks = { ...flagged, flagsChangedAt: context.now() };
  await context.store.collections.communities.updateOne({ networkId, communityId }, { $set: marks }, { session });
}
