import type { Filter } from 'mongodb';
import type { Context } from '../../../context.ts';
import { OperationError } from '../../../errors.ts';
import { membershipIn } from '../../../store/ended-bans.ts';
import type { KeysetOrder } from '../../../store/keyset-query.ts';
import { type Page, type PageRequest, readPage } from '../../../store/page.ts';
import type { ChannelRecord, ChannelUserRecord } from '../../../store/records/chat.ts';
import { containsText } from '../../../store/text-filter.ts';
import { memberIdsByName } from '../../search-index/ids-by-name.ts';
import { requireChannelAccess } from '../get-channel.ts';

export const CHANNEL_USER_FILTERS = ['member', 'muted', 'banned'] as const;
export const CHANNEL_USER_SORTS = ['lastCreated', 'firstCreated', 'displayName'] as const;

export type ChannelUserFilter = (typeof CHANNEL_USER_FILTERS)[number];
export type ChannelUserSort = (typeof CHANNEL_USER_SORTS)[number];

export interface ChannelUserQuery {
  /** Memberships to list; muted members count as members. @default members */
  memberships?: readonly ChannelUserFilter[] | null | undefined;
  /** Holds one of these roles in the channel; 1 to {@link MAX_ROLES}. */
  roles?: readonly string[] | null | undefined;
  /** Part of the display name, in any case; at most {@link MAX_SEARCH} characters. */
  search?: string | null | undefined;
  /** @default lastCreated */
  sortBy?: ChannelUserSort | null | undefined;
  /** Whether the user's account is deleted. @default both */
  isDeleted?: boolean | null | undefined;
  request: PageRequest;
}

export const MAX_ROLES = 20;
export const MAX_SEARCH = 900;

const ORDERS: { [Sort in ChannelUserSort]: KeysetOrder } = {
  lastCreated: { field: 'createdAt', direction: -1, type: 'date' },
  firstCreated: { field: 'createdAt', direction: 1, type: 'date' },
  displayName: { field: 'displayName', direction: 1, type: 'string' },
};

/**
 * A page of the users of a channel.
 * @throws {OperationError} BANNED or FORBIDDEN when the viewer does not see inside, INVALID_PARAMETERS for bounds
 */
export async function listChannelUsers(
  context: Context,
  channel: ChannelRecord,
  query: ChannelUserQuery,
): Promise<Page<ChannelUserRecord>> {
  checkBounds(query);
  await requireChannelAccess(context, channel);
  const named = await memberIdsByName(context, { text: query.search, memberCount: channel.memberCount });
  return readPage({
    collection: context.store.collections.channelUsers,
    budget: context.reads,
    filter: { ...filterOf(channel, query, context.now()), ...(named && { userId: { $in: named } }) },
    order: ORDERS[query.sortBy ?? 'lastCreated'],
    request: query.request,
  });
}

function checkBounds({ roles, search }: ChannelUserQuery): void {
  if (roles && (roles.length < 1 || roles.length > MAX_ROLES)) {
    throw new OperationError('INVALID_PARAMETERS', { detail: [`roles: 1 to ${MAX_ROLES}`], path: ['roles'] });
  }
  if (search && search.length > MAX_SEARCH) {
    throw new OperationError('INVALID_PARAMETERS', {
      detail: [`search: at most ${MAX_SEARCH} characters`],
      path: ['search'],
    });
  }
}

function filterOf(
  { networkId, channelId }: ChannelRecord,
  query: ChannelUserQuery,
  now: Date,
): Filter<ChannelUserRecord> {
  const { roles, search, isDeleted } = query;
  return {
    networkId,
    channelId,
    ...membershipFilter(new Set(query.memberships?.length ? query.memberships : ['member']), now),
    ...(roles && { roles: { $in: [...roles] } }),
    ...(search && { displayName: containsText(search) }),
    ...(isDeleted != null && { isDeleted }),
  };
}

/** The condition on `membership` bounds the index scan; mutes are tested on the records it finds. */
function membershipFilter(wanted: ReadonlySet<ChannelUserFilter>, now: Date): Filter<ChannelUserRecord> {
  const isMuted: Filter<ChannelUserRecord> = {
    isMuted: true,
    $or: [{ muteTimeout: null }, { muteTimeout: { $gt: now } }],
  };
  const hasBanned = wanted.has('banned');
  const states = new Set<'member' | 'banned'>(hasBanned ? ['banned'] : []);
  if (wanted.has('member') || wanted.has('muted')) states.add('member');
  const filter = membershipIn('membership', states, () => now);
  if (wanted.has('member') || !wanted.has('muted')) return filter;
  if (!hasBanned) return { ...filter, ...isMuted };
  return { ...filter, $and: [{ $or: [{ membership: 'banned' }, { membership: 'member', ...isMuted }] }] };
}
