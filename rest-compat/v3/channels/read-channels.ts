import { z } from 'zod';
import { operation } from '../../documents.ts';
import { enumParam } from '../../enum-param.ts';
import { connectionVariables } from '../../paging.ts';
import { boolOrBoth, id, list, listedId, pagingOptions, text } from '../../params.ts';
import { route } from '../../route.ts';
import { CHANNEL_ARRAYS } from '../../side-arrays.ts';

/** Earlier versions accepted ids of this length and created conversations with ids of 56 characters and more. */
const MAX_ID = 100;

const tags = list(text({ max: 100 }), { max: 20 }).optional();

export const readChannels = [
  route({
    method: 'GET',
    path: '/api/v3/channels/list',
    reference: 'list-channels',
    summary: 'List channels by their ids; 404 if the viewer can see none of them.',
    params: z.object({ channelIds: list(listedId(MAX_ID), { min: 1, max: 10 }) }),
    document: operation('ListChannels'),
    variables: ({ channelIds }) => ({ channelIds }),
    arrays: CHANNEL_ARRAYS,
    required: 'Channel',
  }),
  route({
    method: 'GET',
    path: '/api/v3/channels',
    reference: 'query-channels',
    summary: 'List the channels that the viewer can see.',
    params: z.object({
      filter: enumParam('ChannelFilter').default('ALL'),
      keyword: text({ min: 0, max: 100 })
        .optional()
        .describe(
          'Only channels whose display name contains this text. Names derived from members are searched in conversations of the viewer only.',
        ),
      types: list(enumParam('ChannelType'), { max: 20 }).optional(),
      tags,
      excludeTags: tags,
      userId: id().optional(),
      isDeleted: boolOrBoth().default(null),
      sortBy: enumParam('ChannelSort').default('LAST_ACTIVITY'),
      options: pagingOptions(),
    }),
    document: operation('QueryChannels'),
    variables: ({ filter, keyword, types, tags, excludeTags, userId, isDeleted, sortBy, options }) => ({
      filter,
      keyword: keyword || null,
      types: types ?? null,
      tags: tags ?? null,
      excludeTags: excludeTags ?? null,
      userId: userId ?? null,
      isDeleted,
      sortBy,
      ...connectionVariables(options),
    }),
    arrays: CHANNEL_ARRAYS,
    paging: ['previous'],
  }),
  route({
    method: 'GET',
    path: '/api/v3/channels/:channelId',
    reference: 'query-channels',
    summary: 'Get one channel.',
    params: z.object({ channelId: id() }),
    document: operation('GetChannel'),
    variables: ({ channelId }) => ({ channelId }),
    arrays: CHANNEL_ARRAYS,
    required: 'Channel',
  }),
];
