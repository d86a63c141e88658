import { isBannedFrom } from '../../access/community.ts';
import { type Context, type Viewer, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import type { CommunityUserRecord } from '../../store/records/community.ts';
import { type CommunityPlace, findCommunity } from './get-community.ts';

/**
 * Loads a live community in which the viewer has a permission.
 * @param may the policy function, of `src/access/community.ts`
 * @throws {OperationError} NOT_FOUND when the viewer does not see it or it is deleted; BANNED; PERMISSION_DENIED
 */
export async function requireCommunity(
  context: Context,
  communityId: string,
  may: (viewer: Viewer, membership: CommunityUserRecord | null) => boolean,
): Promise<CommunityPlace> {
  const place = await findCommunity(context, communityId);
  if (!place || place.community.isDeleted) throw notFound('Community');
  if (may(viewerOf(context), place.membership)) return place;
  throw new OperationError(isBannedFrom(place.membership) ? 'BANNED' : 'PERMISSION_DENIED');
}
