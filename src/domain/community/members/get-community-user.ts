import { type Context, viewerOf } from '../../../context.ts';
import type { CommunityUserRecord } from '../../../store/records/community.ts';
import { findInsideCommunity } from '../get-community.ts';

/** One membership by its internal id: one's own always, others by whoever sees inside the community. */
export async function getCommunityUser(
  context: Context,
  { internalId }: { internalId: string },
): Promise<CommunityUserRecord | null> {
  const viewer = viewerOf(context);
  const member = await context.load.communityUsersById.load(internalId);
  if (!member) return null;
  if (member.userId === viewer.userId) return member;
  return (await findInsideCommunity(context, member.communityId)) ? member : null;
}
