import { type Context, viewerOf } from '../../context.ts';
import type { CommunityRecord } from '../../store/records/community.ts';

const FLAGS = ['hasFlaggedPost', 'hasFlaggedComment'] as const;
/** Communities with a flagged post, and with a flagged comment, up to which a list is limited to them before it is read. */
const MAX_FLAGGED = 1_000;

/** Ids of the communities with a flagged post or comment; null if there are so many that a list finds them soon by itself. */
export async function flaggedCommunityIds(context: Context): Promise<string[] | null> {
  const { networkId } = viewerOf(context);
  const found = await Promise.all(
    FLAGS.map((flag) =>
      context.store.collections.communities
        .find({ networkId, [flag]: true })
        .limit(MAX_FLAGGED + 1)
        .project<Pick<CommunityRecord, 'communityId'>>({ _id: 0, communityId: 1 })
        .toArray(),
    ),
  );
  if (found.some(({ length }) => length > MAX_FLAGGED)) return null;
  return [...new Set(found.flat().map(({ communityId }) => communityId))];
}
