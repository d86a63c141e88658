import { type Context, viewerOf } from '../../../context.ts';
import { MAX_PAGE_MS } from '../../../store/keyset.ts';

/** Maximum channels in which a moderator's queue searches; the database merges so many ranges of an index. */
const MAX_MODERATED = 200;

/** The channels in which the viewer is a member with one of the roles, most recently active first. */
export async function moderatedChannelIds(
  context: Context,
  roleIds: readonly string[],
): Promise<{ channelIds: string[]; hasMore: boolean }> {
  const { networkId, userId } = viewerOf(context);
  const memberships = await context.store.collections.channelUsers
    .find({ networkId, userId, membership: 'member', roles: { $in: [...roleIds] } })
    .sort({ lastActivity: -1, _id: -1 })
    .limit(MAX_MODERATED + 1)
    .maxTimeMS(MAX_PAGE_MS)
    .project<{ channelId: string }>({ _id: 0, channelId: 1 })
    .toArray();
  const channelIds = memberships.slice(0, MAX_MODERATED).map(({ channelId }) => channelId);
  return { channelIds, hasMore: memberships.length > MAX_MODERATED };
}
