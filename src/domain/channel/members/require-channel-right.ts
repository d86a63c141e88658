import type { ClientSession } from 'mongodb';
import type { ChannelPlace } from '../../../access/message.ts';
import { type Context, type Viewer, viewerOf } from '../../../context.ts';
import type { ChannelUserRecord } from '../../../store/records/chat.ts';
import { currentMembership, type Rights, requireRight } from '../../user/roles/require-right.ts';

/**
 * Checks a right in a channel again in a transaction, as `requireCommunityRight`.
 *
 * @param may the policy function
 * @throws {OperationError} BANNED, PERMISSION_DENIED
 */
export function requireChannelRight(
  context: Context,
  session: ClientSession,
  { channel: { channelId }, membership }: ChannelPlace,
  may: (viewer: Viewer, membership: ChannelUserRecord | null) => boolean,
): Promise<Rights<ChannelUserRecord>> {
  const { networkId, userId } = viewerOf(context);
  const { channelUsers } = context.store.collections;
  return requireRight(context, session, {
    may,
    membership,
    read: () => currentMembership(context, channelUsers.findOne({ networkId, channelId, userId }, { session })),
  });
}
