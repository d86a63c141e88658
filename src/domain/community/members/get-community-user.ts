import { type Context, viewerOf } from '../../../context.ts';
import type { CommunityUserRecord } from '../../../store/records/community.ts';
import { findInsideCommunity } from '../get-community.ts';

/** A membership by its internal id: the viewer's own always, others when the viewer sees inside the community. */
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
