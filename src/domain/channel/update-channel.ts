import type { z } from 'zod';
import { canDeleteChannel, canEditChannel, isChannelMember } from '../../access/channel.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import type { ChannelRecord } from '../../store/records/chat.ts';
import { usableFiles } from '../file/usable-files.ts';
import { omitUndefined, validate } from '../input.ts';
import { writePartners } from '../user/blocks/blocks.ts';
import { changeChannel } from './change-channel.ts';
import { type ChannelUpdate, channelIdInput, updateChannelInput } from './channel-input.ts';
import { findChannel } from './get-channel.ts';
import { refusal } from './moderation/refusal.ts';

/**
 * Updates a channel; absent fields are left unchanged.
 * @throws {OperationError} NOT_FOUND; PERMISSION_DENIED without EDIT_CHANNEL (in a conversation every member may);
 *   BANNED; FORBIDDEN in a conversation of two users of whom one blocked the other; BAD_REQUEST for making a private
 *   channel or conversation public, and for fields that a community determines
 */
export async function updateChannel(context: Context, input: ChannelUpdate): Promise<ChannelRecord> {
  const { channelId, ...update } = validate(updateChannelInput, input);
  const place = await findChannel(context, channelId);
  if (!place || place.channel.isDeleted) throw notFound('Channel');
  const { channel, membership } = place;
  if (!canEditChannel(viewerOf(context), channel, membership)) throw refusal(membership);
  if (update.isPublic && (channel.type === 'private' || channel.type === 'conversation')) {
    throw new OperationError('BAD_REQUEST', {
      message: 'A channel of this type cannot be public.',
      path: ['isPublic'],
    });
  }
  if (channel.communityId !== null) assertNotFromCommunity(channel, update);
  const fileIds = update.avatarFileId ? [update.avatarFileId] : [];
  await usableFiles(context, fileIds, { held: [channel.avatarFileId], path: ['avatarFileId'] });
  const set = omitUndefined({
    displayName: update.displayName,
    isPublic: update.isPublic,
    avatarFileId: update.avatarFileId,
    tags: update.tags === null ? [] : update.tags,
    metadata: update.metadata === null ? {} : update.metadata,
    notificationMode: update.notificationMode,
    messageAutoDeleteEnabled: update.messageAutoDeleteEnabled,
    autoDeleteMessageByFlagLimit: update.autoDeleteMessageByFlagLimit,
  });
  const isOwn = channel.type === 'conversation' && isChannelMember(membership);
  return changeChannel(context, place, set, {
    type: 'channel.updated',
    partners: isOwn ? await writePartners(context, channel) : [],
    may: isOwn ? null : (viewer, current) => canEditChannel(viewer, channel, current),
  });
}

/** Fields of a community's channel that only the community changes. */
const COMMUNITY_FIELDS = ['displayName', 'avatarFileId', 'isPublic'] as const;

function assertNotFromCommunity(channel: ChannelRecord, { avatarFileId, ...update }: Partial<ChannelUpdate>): void {
  const wanted = {
    displayName: update.displayName ?? channel.displayName,
    avatarFileId: avatarFileId === undefined ? channel.avatarFileId : avatarFileId,
    isPublic: update.isPublic ?? channel.isPublic,
  };
  const field = COMMUNITY_FIELDS.find((name) => wanted[name] !== channel[name]);
  if (field === undefined) return;
  throw new OperationError('BAD_REQUEST', {
    message: 'The community of this channel determines this field.',
    path: [field],
  });
}

/**
 * Deletes a channel: its feeds and messages can no longer be read and do not count as unread.
 * @throws {OperationError} NOT_FOUND, also when it is already deleted; PERMISSION_DENIED without CLOSE_CHANNEL; BANNED;
 *   BAD_REQUEST for the channel of a community, which is deleted with the community
 */
export async function deleteChannel(context: Context, input: z.input<typeof channelIdInput>): Promise<ChannelRecord> {
  const { channelId } = validate(channelIdInput, input);
  const place = await findChannel(context, channelId);
  if (!place || place.channel.isDeleted) throw notFound('Channel');
  const { channel, membership } = place;
  if (!canDeleteChannel(viewerOf(context), membership)) throw refusal(membership);
  if (channel.communityId !== null) {
    throw new OperationError('BAD_REQUEST', { message: 'The channel of a community is deleted with its community.' });
  }
  return changeChannel(context, place, { isDeleted: true }, { type: 'channel.deleted', may: canDeleteChannel });
}
