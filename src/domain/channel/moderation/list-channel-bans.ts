import { canChangeMembers, seesAllChannels } from '../../../access/channel.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { type Page, readPage } from '../../../store/page.ts';
import type { ChannelUserRecord } from '../../../store/records/chat.ts';
import type { BanList } from '../../ban/ban-list.ts';
import { findChannel } from '../get-channel.ts';

/**
 * A page of the bans from a channel, or from all channels of the network; null when the viewer may not ban there.
 * @param channelId null: all
 */
export async function listChannelBans(
  context: Context,
  channelId: string | null,
  { inEffect, order, request }: BanList,
): Promise<Page<ChannelUserRecord> | null> {
  if (!(await canSeeChannelBans(context, channelId))) return null;
  return readPage({
    collection: context.store.collections.channelUsers,
    budget: context.reads,
    filter: { ...inEffect, ...(channelId !== null && { channelId }), isBanned: true },
    order,
    request,
  });
}

/**
 * Whether the viewer may ban from a channel that they see, and so sees the bans from it.
 * @param channelId null: from all channels of the network
 */
export async function canSeeChannelBans(context: Context, channelId: string | null): Promise<boolean> {
  const viewer = viewerOf(context);
  if (channelId === null) return canChangeMembers(viewer, null, 'ban') && seesAllChannels(viewer);
  const place = await findChannel(context, channelId);
  return place !== null && canChangeMembers(viewer, place.membership, 'ban');
}
