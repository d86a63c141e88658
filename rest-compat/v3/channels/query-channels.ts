import { z } from 'zod';
import { enumParam } from '../../enum-param.ts';
import {
  type ChannelFilter,
  type ChannelSort,
  type ChannelType,
  QueryChannelsDocument,
} from '../../generated/documents.ts';
import { connectionVariables } from '../../paging.ts';
import { boolOrBoth, id, list, pagingOptions, text } from '../../params.ts';
import { route } from '../../route.ts';
import { CHANNEL_ARRAYS } from '../../v4/channels/list-channel-users.ts';

const tags = list(text({ max: 100 }), { max: 20 }).optional();

export const queryChannels = route({
  method: 'GET',
  path: '/api/v3/channels',
  section: 'legacy-facts §6.2',
  summary: 'Query the channels that the caller sees.',
  params: z.object({
    filter: enumParam<ChannelFilter>('ChannelFilter').default('ALL'),
    keyword: text({ min: 0, max: 100 }).optional(),
    types: list(enumParam<ChannelType>('ChannelType'), { max: 20 }).optional(),
    tags,
    excludeTags: tags,
    userId: id().optional(),
    isDeleted: boolOrBoth().default(null),
    sortBy: enumParam<ChannelSort>('ChannelSort').default('LAST_ACTIVITY'),
    options: pagingOptions(),
  }),
  document: QueryChannelsDocument,
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
});
