import { canBanMembers, canEditCommunity } from '../../../access/community.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { type Page, readPage } from '../../../store/page.ts';
import type { CommunityUserRecord } from '../../../store/records/community.ts';
import type { BanList } from '../../ban/ban-list.ts';
import { findCommunity } from '../get-community.ts';

/**
 * A page of the bans from a community, or from all communities of the network; null when the viewer may not ban there.
 * @param communityId null: all
 */
export async function listCommunityBans(
  context: Context,
  communityId: string | null,
  { inEffect, order, request }: BanList,
): Promise<Page<CommunityUserRecord> | null> {
  if (!(await canSeeCommunityBans(context, communityId))) return null;
  return readPage({
    collection: context.store.collections.communityUsers,
    budget: context.reads,
    filter: { ...inEffect, ...(communityId !== null && { communityId }), isBanned: true },
    order,
    request,
  });
}

/**
 * Whether the viewer may ban from a community that they see, and so sees the bans from it.
 * @param communityId null: from all communities of the network
 */
export async function canSeeCommunityBans(context: Context, communityId: string | null): Promise<boolean> {
  const viewer = viewerOf(context);
  // Users who edit all communities see all of them.
  if (communityId === null) return canBanMembers(viewer, null) && canEditCommunity(viewer, null);
  const place = await findCommunity(context, communityId);
  return place !== null && canBanMembers(viewer, place.membership);
}
