import type { Filter } from 'mongodb';
import {
  canModerateMessages,
  canSeeChannel,
  canSeeInsideChannel,
  isChannelMember,
  moderatesAllMessages,
  seesAllChannels,
} from '../../../access/channel.ts';
import { type Context, viewerOf } from '../../../context.ts';
import type { KeysetOrder } from '../../../store/keyset-query.ts';
import { type Page, type PageRequest, readPage } from '../../../store/page.ts';
import type { ChannelRecord } from '../../../store/records/chat.ts';
import { channelsScope } from '../../../store/search/entries.ts';
import { containsText } from '../../../store/text-filter.ts';
import { validate } from '../../input.ts';
import { channelsWithFlags } from '../../message/moderation/channels-with-flags.ts';
import { idsByName } from '../../search-index/ids-by-name.ts';
import { conversationsWithName } from '../conversations/search-derived-names.ts';
import { canSeeAttachedMedia } from '../get-channel.ts';
import { type ChannelFilter, type ChannelQuery, type ChannelSort, channelQuery } from './channel-query.ts';
import { channelIdsOfMember } from './member-channel-ids.ts';

const ORDERS: { [Sort in ChannelSort]: KeysetOrder } = {
  lastActivity: { field: 'lastActivity', direction: -1, type: 'date' },
  lastCreated: { field: 'createdAt', direction: -1, type: 'date' },
  firstCreated: { field: 'createdAt', direction: 1, type: 'date' },
  displayName: { field: 'displayName', direction: 1, type: 'string' },
};

/**
 * A page of the channels that the viewer sees.
 * @throws {OperationError} INVALID_PARAMETERS for bounds
 */
export async function listChannels(
  context: Context,
  { request, ...input }: ChannelQuery & { request: PageRequest },
): Promise<Page<ChannelRecord>> {
  const query = validate(channelQuery, input);
  const derived =
    query.keyword && mayListConversations(query) ? await conversationsWithName(context, query.keyword) : [];
  const conditions = conditionsOf(context, query, derived);
  const places = await withName(context, await searchScopes(context, query), { keyword: query.keyword, derived });
  return readPage({
    collection: context.store.collections.channels,
    budget: context.reads,
    filter: places.map((place) => ({ ...conditions, ...place })),
    order: ORDERS[query.sortBy ?? 'lastActivity'],
    request,
    visible: (channels) => listedChannels(context, query, channels),
  });
}

type Checked = ReturnType<typeof validate<typeof channelQuery>>;

/** @param derived the viewer's conversations with a derived name that contains the keyword */
function conditionsOf(context: Context, query: Checked, derived: string[]): Filter<ChannelRecord> {
  const { keyword, types, tags, excludeTags, isDeleted = false } = query;
  const tagged = {
    ...(tags?.length && { $in: tags }),
    ...(excludeTags?.length && { $nin: excludeTags }),
  };
  return {
    networkId: viewerOf(context).networkId,
    ...(isDeleted !== null && { isDeleted }),
    ...(types?.length && { type: { $in: types } }),
    ...(Object.keys(tagged).length > 0 && { tags: tagged }),
    // In `$and`, because a page sorted by name bounds the same field.
    ...(keyword && { $and: [hasInName(keyword, derived)] }),
  };
}

/** The chosen name contains the text, or the derived name of one of the viewer's conversations does. */
function hasInName(keyword: string, derived: string[]): Filter<ChannelRecord> {
  const chosen = { displayName: containsText(keyword) };
  return derived.length > 0 ? { $or: [chosen, { channelId: { $in: derived } }] } : chosen;
}

/** Limits the filters by visibility to the channels whose names contain the keyword. */
function withName(
  context: Context,
  places: Filter<ChannelRecord>[],
  { keyword, derived }: { keyword: string | null | undefined; derived: string[] },
): Promise<Filter<ChannelRecord>[]> {
  return Promise.all(
    places.map(async (place) => {
      if (!keyword || typeof place.isPublic !== 'boolean') return place;
      const scopeId = channelsScope(place.isPublic);
      const named = await idsByName(context, { kind: 'channel', text: keyword, scopeId });
      return named ? { ...place, channelId: { $in: [...new Set([...named, ...derived])] } } : place;
    }),
  );
}

/** Whether the query can match a conversation of the viewer. */
function mayListConversations({ types, filter }: Checked): boolean {
  return filter !== 'notMember' && (!types?.length || types.includes('conversation'));
}

/**
 * The filters to search with: by ids if the query allows only certain channels, else one for public channels and one
 * for the private ones that the viewer can see, so that a page does not scan the private conversations of others.
 */
async function searchScopes(context: Context, { filter, userId }: Checked): Promise<Filter<ChannelRecord>[]> {
  const viewer = viewerOf(context);
  const isMembersOnly = filter === 'member' || (filter === 'flagged' && !moderatesAllMessages(viewer));
  const lists = await Promise.all([
    ...(userId != null ? [channelIdsOfMember(context, userId)] : []),
    ...(isMembersOnly ? [channelIdsOfMember(context, viewer.userId)] : []),
  ]);
  let channelIds = lists.length > 0 ? intersection(lists) : null;
  if (filter === 'flagged') channelIds = await channelsWithFlags(context, channelIds);
  if (channelIds) return [{ channelId: { $in: channelIds } }];
  const inPublic = { isPublic: true };
  if (seesAllChannels(viewer)) return [inPublic, { isPublic: false }];
  if (filter === 'notMember') return [inPublic];
  return [inPublic, { channelId: { $in: await channelIdsOfMember(context, viewer.userId) } }];
}

function intersection([first = [], ...others]: string[][]): string[] {
  return others.reduce((kept, list) => {
    const ids = new Set(list);
    return kept.filter((id) => ids.has(id));
  }, first);
}

async function listedChannels(context: Context, query: Checked, channels: ChannelRecord[]): Promise<ChannelRecord[]> {
  const isShown = await Promise.all(channels.map((channel) => isListed(context, query, channel)));
  return channels.filter((_, index) => isShown[index]);
}

const REQUIRES_MEMBERSHIP: { [Filter in ChannelFilter]: boolean | null } = {
  all: null,
  flagged: null,
  member: true,
  notMember: false,
};

async function isListed(context: Context, { filter, userId }: Checked, channel: ChannelRecord): Promise<boolean> {
  const viewer = viewerOf(context);
  const membership = await context.load.channelUsers.load([channel.channelId, viewer.userId]);
  const mustBeMember = REQUIRES_MEMBERSHIP[filter ?? 'all'];
  if (mustBeMember !== null && isChannelMember(membership) !== mustBeMember) return false;
  if (filter === 'flagged' && !canModerateMessages(viewer, membership)) return false;
  if (!canSeeChannel(viewer, channel, membership)) return false;
  // Only users who see inside the channel learn who its members are.
  if (userId != null && !canSeeInsideChannel(viewer, channel, membership)) return false;
  return canSeeAttachedMedia(context, channel);
}
