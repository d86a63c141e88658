import { z } from 'zod';
import { type Context, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import type { Bannable } from '../../store/ended-bans.ts';
import type { KeysetOrder } from '../../store/keyset-query.ts';
import { emptyPage, type Page, type PageRequest } from '../../store/page.ts';
import type { BanList } from '../ban/ban-list.ts';
import { listChannelBans } from '../channel/moderation/list-channel-bans.ts';
import { listCommunityBans } from '../community/members/list-community-bans.ts';
import { id, validate } from '../input.ts';
import { listNetworkBans } from '../user/moderation/list-network-bans.ts';

export const BAN_KINDS = ['network', 'community', 'channel'] as const;
export type BanKind = (typeof BAN_KINDS)[number];

export const banQueryInput = z.object({
  kind: z.enum(BAN_KINDS).describe('From what the users are banned.'),
  communityId: id().nullish().describe('Only bans from this community, with the kind `COMMUNITY`.'),
  channelId: id().nullish().describe('Only bans from this channel, with the kind `CHANNEL`.'),
  userId: id(50).nullish().describe('Only bans of this user.'),
});

/** Banned records are rarely changed by anything else, so this is about the order of the bans. */
const LAST_CHANGED_FIRST: KeysetOrder = { field: 'updatedAt', direction: -1, type: 'date' };

/**
 * A page of the bans in effect, last changed first. Empty for viewers who may not ban there: those who may ban only in
 * some communities or channels must name one of them.
 *
 * @throws {OperationError} INVALID_PARAMETERS, also for an id that does not belong to the kind
 */
export async function listBans(
  context: Context,
  query: z.input<typeof banQueryInput>,
  request: PageRequest,
): Promise<Page<Bannable>> {
  const { networkId } = viewerOf(context);
  const { kind, communityId, channelId, userId } = validate(banQueryInput, query);
  requireMatchingKind('communityId', communityId, kind === 'community');
  requireMatchingKind('channelId', channelId, kind === 'channel');
  const inEffect = {
    networkId,
    ...(userId != null && { userId }),
    'ban.expiresAt': { $not: { $lte: context.now() } },
  };
  const list: BanList = { inEffect, order: LAST_CHANGED_FIRST, request };
  const found: Page<Bannable> | null =
    kind === 'network'
      ? await listNetworkBans(context, list)
      : kind === 'community'
        ? await listCommunityBans(context, communityId ?? null, list)
        : await listChannelBans(context, channelId ?? null, list);
  return found ?? emptyPage(LAST_CHANGED_FIRST);
}

function requireMatchingKind(name: string, id: string | null | undefined, isMatching: boolean): void {
  if (id == null || isMatching) return;
  throw new OperationError('INVALID_PARAMETERS', { detail: [`${name}: not with this kind`], path: ['filter', name] });
}
