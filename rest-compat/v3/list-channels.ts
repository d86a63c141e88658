import { z } from 'zod';
import { ListChannelsDocument } from '../generated/documents.ts';
import { list, listedId } from '../params.ts';
import { route } from '../route.ts';
import { CHANNEL_ARRAYS } from './channel-users.ts';

export const listChannels = route({
  method: 'GET',
  path: '/api/v3/channels/list',
  section: 'interface §4.5',
  summary: 'List channels by ids; 404 when none of them is there.',
  params: z.object({ channelIds: list(listedId(50), { min: 1, max: 10 }) }),
  document: ListChannelsDocument,
  variables: ({ channelIds }) => ({ channelIds }),
  arrays: CHANNEL_ARRAYS,
  required: 'Channel',
});
