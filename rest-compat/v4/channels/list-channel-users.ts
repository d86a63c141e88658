import { z } from 'zod';
import { operation } from '../../documents.ts';
import { enumParam } from '../../enum-param.ts';
import type { ChannelUserFilter } from '../../generated/variables.ts';
import { connectionVariables } from '../../paging.ts';
import { boolOrBoth, id, list, pagingOptions, text } from '../../params.ts';
import { route } from '../../route.ts';
import { CHANNEL_ARRAYS } from '../../side-arrays.ts';

/** The filters of version 3 as memberships of version 4: `docs/interface.md#query-channel-users`. */
const FILTERS: { [filter: string]: ChannelUserFilter[] } = {
  all: ['MEMBER'],
  muted: ['MUTED'],
  banned: ['BANNED'],
  'member&banned': ['MEMBER', 'BANNED'],
};

const shared = {
  channelId: id(),
  sortBy: enumParam('ChannelUserSort').optional(),
  isDeleted: boolOrBoth().optional(),
  options: pagingOptions(),
};

const role = text({ max: 900 });

export const listChannelUsers = [
  route({
    method: 'GET',
    path: '/api/v3/channels/:channelId/users',
    reference: 'query-channel-users',
    summary: 'List the users of a channel.',
    params: z.object({
      ...shared,
      search: text({ max: 900 }).optional(),
      filter: z
        .enum(['all', 'muted', 'banned', 'member&banned'])
        .optional()
        .describe('Membership states to include; `all` (default) stands for all members, muted ones included.'),
      roles: list(role, { min: 1, max: 20 }).optional(),
    }),
    document: operation('ChannelUsers'),
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
    reference: 'query-channel-users',
    summary: 'List the users of a channel by membership states.',
    params: z.object({
      ...shared,
      search: text({ min: 0, max: 900 }).optional(),
      memberships: list(enumParam('ChannelUserFilter'), { max: 3 }).optional(),
      roles: list(role, { max: 20 }).optional(),
      role: role.optional(),
    }),
    document: operation('ChannelUsers'),
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
