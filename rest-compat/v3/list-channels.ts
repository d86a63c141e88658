import { z } from 'zod';
import { ListChannelsDocument } from '../generated/documents.ts';
import { decodedTwice, list, listedId } from '../params.ts';
import { route } from '../route.ts';
import { CHANNEL_ARRAYS } from './channel-users.ts';

/** Conversations opened by earlier versions keep their ids of 56 characters and more. */
const formerConversationId = decodedTwice(z.string().regex(/^conversation-[\w-]{43}(-\d{1,9})?$/));

export const listChannels = route({
  method: 'GET',
  path: '/api/v3/channels/list',
  section: 'interface §4.5',
  summary: 'List channels by ids; 404 when none of them is there.',
  params: z.object({ channelIds: list(z.union([listedId(50), formerConversationId]), { min: 1, max: 10 }) }),
  document: ListChannelsDocument,
  variables: ({ channelIds }) => ({ channelIds }),
  arrays: CHANNEL_ARRAYS,
  required: 'Channel',
});
