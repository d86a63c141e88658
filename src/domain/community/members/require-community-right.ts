import type { ClientSession } from 'mongodb';
import { type Context, type Viewer, viewerOf } from '../../../context.ts';
import type { CommunityRecord, CommunityUserRecord } from '../../../store/records/community.ts';
import { currentMembership, type Rights, requireRight } from '../../user/roles/require-right.ts';

/** A community with the viewer's membership as the request loaded it; both null on the feed of a user. */
export interface RightPlace {
  community: Pick<CommunityRecord, 'communityId'> | null;
  membership: CommunityUserRecord | null;
}

/**
 * Checks a right in a community, or in the network outside of one, again in a transaction: of two moderators who ban each
 * other concurrently, the later one is rejected.
 *
 * @param may the policy function
 * @returns the viewer and their membership as the transaction sees them; the loaded membership for a viewer with the
 *   right in the network
 * @throws {OperationError} BANNED, PERMISSION_DENIED
 */
export function requireCommunityRight(
  context: Context,
  session: ClientSession,
  { community, membership }: RightPlace,
  may: (viewer: Viewer, membership: CommunityUserRecord | null) => boolean,
): Promise<Rights<CommunityUserRecord>> {
  const { networkId, userId } = viewerOf(context);
  const { communityUsers } = context.store.collections;
  return requireRight(context, session, {
    may,
    membership,
    async read() {
      if (!community) return null;
      const key = { networkId, communityId: community.communityId, userId };
      return currentMembership(context, communityUsers.findOne(key, { session }));
    },
  });
}
