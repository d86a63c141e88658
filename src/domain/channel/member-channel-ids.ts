import { type Context, viewerOf } from '../../context.ts';
import type { ChannelUserRecord } from '../../store/records/chat.ts';

/** The most channels of one user that a list looks through. */
const MAX_JOINED = 2_000;

/** The channels that a user is a member of; of very many, those they were last active in. */
export async function channelIdsOfMember(context: Context, userId: string): Promise<string[]> {
  const { networkId } = viewerOf(context);
  const memberships = await context.store.collections.channelUsers
    .find({ networkId, userId, membership: 'member' })
    .sort({ lastActivity: -1, _id: -1 })
    .limit(MAX_JOINED)
    .project<Pick<ChannelUserRecord, 'channelId'>>({ _id: 0, channelId: 1 })
    .toArray();
  return memberships.map(({ channelId }) => channelId);
}
