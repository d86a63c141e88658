import { z } from 'zod';
import { canChangeMembers, seesAllChannels } from '../../../access/channel.ts';
import { type Context, viewerOf } from '../../../context.ts';
import type { KeysetOrder } from '../../../store/keyset-query.ts';
import { emptyPage, type Page, type PageRequest, readPage } from '../../../store/page.ts';
import type { ChannelUserRecord } from '../../../store/records/chat.ts';
import { id, validate } from '../../input.ts';
import { findChannel } from '../get-channel.ts';

const LONGEST_FIRST: KeysetOrder = { field: 'mutedUntil', direction: -1, type: 'date' };

export const muteQueryInput = z.object({
  channelId: id().nullish().describe('Only mutes in this channel.'),
  userId: id(50).nullish().describe('Only mutes of this user.'),
});

/**
 * A page of the mutes of members in effect: those without end, then by their end, latest first. Empty for viewers who may
 * not mute there: those who may mute only in some channels must name one.
 * @throws {OperationError} INVALID_PARAMETERS
 */
export async function listMutes(
  context: Context,
  query: z.input<typeof muteQueryInput>,
  request: PageRequest,
): Promise<Page<ChannelUserRecord>> {
  const { channelId, userId } = validate(muteQueryInput, query);
  if (!(await canSeeMutes(context, channelId ?? null))) return emptyPage(LONGEST_FIRST);
  return readPage({
    collection: context.store.collections.channelUsers,
    budget: context.reads,
    filter: {
      networkId: viewerOf(context).networkId,
      ...(channelId != null && { channelId }),
      ...(userId != null && { userId }),
      membership: 'member',
      // In `$and`, because the position of a page bounds the same field.
      $and: [{ mutedUntil: { $gt: context.now() } }],
    },
    order: LONGEST_FIRST,
    request,
  });
}

/**
 * Whether the viewer may mute in a channel that they see, and so sees the mutes there.
 * @param channelId null: in all channels of the network
 */
export async function canSeeMutes(context: Context, channelId: string | null): Promise<boolean> {
  const viewer = viewerOf(context);
  if (channelId === null) return canChangeMembers(viewer, null, 'mute') && seesAllChannels(viewer);
  const place = await findChannel(context, channelId);
  return place !== null && canChangeMembers(viewer, place.membership, 'mute');
}
