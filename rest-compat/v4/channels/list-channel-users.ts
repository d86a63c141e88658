import { z } from 'zod';
import { enumParam } from '../../enum-param.ts';
import { type ChannelUserFilter, type ChannelUserSort, ChannelUsersDocument } from '../../generated/documents.ts';
import { connectionVariables } from '../../paging.ts';
import { boolOrBoth, id, list, pagingOptions, text } from '../../params.ts';
import { type Route, route } from '../../route.ts';

export const CHANNEL_ARRAYS = ['channels', 'channelUsers', 'messagePreviews', 'messageFeedsInfo', 'users', 'files'];

/** The membership filter of version 3, in the words of version 4 (interface §4.5). */
const FILTERS: { [filter: string]: ChannelUserFilter[] } = {
  all: ['MEMBER'],
  muted: ['MUTED'],
  banned: ['BANNED'],
  'member&banned': ['MEMBER', 'BANNED'],
};

const shared = {
  channelId: id(),
  sortBy: enumParam<ChannelUserSort>('ChannelUserSort').optional(),
  isDeleted: boolOrBoth().optional(),
  options: pagingOptions(),
};

const role = text({ max: 900 });

/** The users of a channel: version 3 as the interface has it, version 4 as published clients call it. */
export const channelUsers: Route[] = [
  route({
    method: 'GET',
    path: '/api/v3/channels/:channelId/users',
    section: 'interface §4.5',
    summary: 'Query the users of a channel.',
    params: z.object({
      ...shared,
      search: text({ max: 900 }).optional(),
      filter: z.enum(['all', 'muted', 'banned', 'member&banned']).optional(),
      roles: list(role, { min: 1, max: 20 }).optional(),
    }),
    document: ChannelUsersDocument,
    variables: ({ channelId, filter = 'all', roles, search, sortBy, isDeleted, options }) => ({
      ...connectionVariables(options),
      channelId,
      memberships: FILTERS[filter]!,
      roles: roles ?? null,
      search: search ?? null,
      sortBy: sortBy ?? 'LAST_CREATED',
      isDeleted: isDeleted ?? null,
    }),
    arrays: CHANNEL_ARRAYS,
    required: 'Channel',
    paging: ['prev', 'previous'],
  }),
  route({
    method: 'GET',
    path: '/api/v4/channels/:channelId/users',
    section: 'legacy-facts §3',
    summary: 'Query the users of a channel, as published clients do.',
    params: z.object({
      ...shared,
      search: text({ min: 0, max: 900 }).optional(),
      memberships: list(enumParam<ChannelUserFilter>('ChannelUserFilter'), { max: 3 }).optional(),
      roles: list(role, { max: 20 }).optional(),
      role: role.optional(),
    }),
    document: ChannelUsersDocument,
    variables: ({ channelId, memberships, roles = [], role: one, search, sortBy, isDeleted, options }) => ({
      ...connectionVariables(options),
      channelId,
      memberships: memberships ?? ['MEMBER' as const],
      roles: roles.length > 0 || one !== undefined ? [...roles, ...(one === undefined ? [] : [one])] : null,
      search: search ?? null,
      sortBy: sortBy ?? 'LAST_CREATED',
      isDeleted: isDeleted ?? null,
    }),
    arrays: CHANNEL_ARRAYS,
    required: 'Channel',
    paging: ['previous'],
  }),
];
