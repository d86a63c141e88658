import { type Context, viewerOf } from '../../../context.ts';
import { MAX_PAGE_MS } from '../../../store/keyset.ts';

/** Maximum channels with flagged messages that a list searches. */
const MAX_CHANNELS = 2_000;

/** The partial index of flagged messages, as a hint: for a whole network the planner may choose another. */
const FLAGGED = { networkId: 1, channelId: 1, flagCount: 1 };

/**
 * Ids of channels that have a live flagged message. @param among restricts the search to these; null searches the
 * network
 */
export async function channelsWithFlags(context: Context, among: string[] | null): Promise<string[]> {
  const { networkId } = viewerOf(context);
  const found = context.store.collections.messages.aggregate<{ _id: string }>(
    [
      {
        $match: {
          networkId,
          ...(among && { channelId: { $in: among } }),
          flagCount: { $gt: 0 },
          isDeleted: false,
        },
      },
      { $group: { _id: '$channelId' } },
      { $limit: MAX_CHANNELS },
    ],
    { maxTimeMS: MAX_PAGE_MS, hint: FLAGGED },
  );
  return (await found.toArray()).map(({ _id }) => _id);
}
