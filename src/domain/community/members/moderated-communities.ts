import { type Context, viewerOf } from '../../../context.ts';
import { MAX_PAGE_MS } from '../../../store/keyset.ts';
import type { CommunityUserRecord } from '../../../store/records/community.ts';

/** Maximum places of one kind in which a moderator's queue searches; the database merges so many ranges of an index. */
const MAX_MODERATED = 200;

type Membership = Pick<CommunityUserRecord, 'communityId' | 'roles'>;

/** The communities in which the viewer is a member with one of the roles, most recently joined first. */
export async function moderatedCommunities(
  context: Context,
  roleIds: readonly string[],
): Promise<{ memberships: Membership[]; hasMore: boolean }> {
  const { networkId, userId } = viewerOf(context);
  const found = await context.store.collections.communityUsers
    .find({ networkId, userId, communityMembership: 'member', roles: { $in: [...roleIds] } })
    .sort({ createdAt: -1, _id: -1 })
    .limit(MAX_MODERATED + 1)
    .maxTimeMS(MAX_PAGE_MS)
    .project<Membership>({ _id: 0, communityId: 1, roles: 1 })
    .toArray();
  return { memberships: found.slice(0, MAX_MODERATED), hasMore: found.length > MAX_MODERATED };
}
