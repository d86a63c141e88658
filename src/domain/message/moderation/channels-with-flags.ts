import { type Context, viewerOf } from '../../../context.ts';
import { MAX_PAGE_MS } from '../../../store/keyset.ts';

/** The most channels with flagged messages that a list looks through. */
const MAX_CHANNELS = 2_000;

/** The index that holds flagged messages only; for a whole network others look as good to a planner. */
const FLAGGED = { networkId: 1, channelId: 1, flagCount: 1 };

/** Which channels hold a flagged message that is not deleted. @param among null: any of the network */
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
