import { canCreateChannel } from '../../access/channel.ts';
import { type Context, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import { appendEvents } from '../../events/append-events.ts';
import { together } from '../../store/transaction.ts';
import { usableFiles } from '../file/usable-files.ts';
import { validate } from '../input.ts';
import { lockFor } from '../lock-for.ts';
import { idTakenError } from '../taken-id.ts';
import { requireNotBlocked } from '../user/blocks/blocks.ts';
import { requireUnbannedUsers } from '../user/lookup/require-unbanned-users.ts';
import { channelEvent } from './channel-events.ts';
import { createChannelInput, type NewChannel } from './channel-input.ts';
import { findChannel } from './get-channel.ts';
import {
  type ChannelWithMembers,
  channelRecord,
  firstMembers,
  insertChannel,
  invalidateChannel,
} from './new-channel.ts';

/**
 * Creates a channel with the viewer as its moderator and the named users as members.
 *
 * @throws {OperationError} DUPLICATE for the id of a channel that the viewer sees; PERMISSION_DENIED for a broadcast
 *   without EDIT_CHANNEL in the network; NOT_FOUND for an unknown user or a file of another user; INVALID_PARAMETERS;
 *   FORBIDDEN if a block exists between the viewer and one of the users
 */
export async function createChannel(context: Context, input: NewChannel): Promise<ChannelWithMembers> {
  const viewer = viewerOf(context);
  const given = validate(createChannelInput, input);
  const type = given.type ?? 'standard';
  if (!canCreateChannel(viewer, type)) throw new OperationError('PERMISSION_DENIED');
  const others = (given.userIds ?? []).filter((userId) => userId !== viewer.userId);
  const [users] = await Promise.all([
    requireUnbannedUsers(context, [viewer.userId, ...others]),
    usableFiles(context, [given.avatarFileId], { path: ['avatarFileId'] }),
  ]);
  const channel = channelRecord(context, {
    ...(given.channelId != null && { channelId: given.channelId }),
    type,
    displayName: given.displayName,
    avatarFileId: given.avatarFileId ?? null,
    isPublic: type !== 'private' && (given.isPublic ?? true),
    tags: given.tags ?? [],
    metadata: given.metadata ?? {},
    notificationMode: given.notificationMode ?? 'default',
    messageAutoDeleteEnabled: given.messageAutoDeleteEnabled ?? false,
    autoDeleteMessageByFlagLimit: given.autoDeleteMessageByFlagLimit ?? 0,
    memberCount: users.length,
  });
  const userIds = users.map(({ userId }) => userId);
  const members = await context.transaction(
    async (session) => {
      const { networkId, channelId } = channel;
      const taken = await context.store.collections.channels.findOne({ networkId, channelId }, { session });
      if (taken) throw idTakenError('channelId', { isSeen: (await findChannel(context, channelId)) !== null });
      const [members] = await together(session, [
        () => firstMembers(context, session, { channel, userIds, moderatorId: viewer.userId }),
        () => requireNotBlocked(context, others, { path: ['userIds'], session }),
      ]);
      await insertChannel(context, session, { channel, members });
      await appendEvents(context, session, [channelEvent('channel.created', channel)]);
      return members;
    },
    lockFor(context, 'channel', channel.channelId, { sharedUserIds: userIds }),
  );
  invalidateChannel(context, channel, userIds);
  return { channel, channelUsers: members };
}
