import { z } from 'zod';
import { ListChannelsDocument } from '../../generated/documents.ts';
import { list, listedId } from '../../params.ts';
import { route } from '../../route.ts';
import { CHANNEL_ARRAYS } from '../../v4/channels/list-channel-users.ts';

/** Earlier versions let clients choose ids of this length, and opened conversations with ids of 56 characters and more. */
const LONGEST_ID = 100;

export const listChannels = route({
  method: 'GET',
  path: '/api/v3/channels/list',
  section: 'interface §4.5',
  summary: 'List channels by ids; 404 when none of them is there.',
  params: z.object({ channelIds: list(listedId(LONGEST_ID), { min: 1, max: 10 }) }),
  document: ListChannelsDocument,
  variables: ({ channelIds }) => ({ channelIds }),
  arrays: CHANNEL_ARRAYS,
  required: 'Channel',
});
