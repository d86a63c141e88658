import { z } from 'zod';
import { mutation } from '../../documents.ts';
import { id, int } from '../../params.ts';
import { route } from '../../route.ts';
import { CHANNEL_ARRAYS } from '../../side-arrays.ts';

const readToSegment = int({ min: 0, max: 2 ** 31 - 1 }).nullish();

const shared = {
  method: 'POST',
  reference: 'mark-read',
  document: mutation('markChannelsSeen', 'channels { ...ChannelWithLinks } channelUsers { ...ChannelUserWithUser }'),
  arrays: CHANNEL_ARRAYS,
} as const;

export const markChannelsSeen = [
  route({
    ...shared,
    path: '/api/v3/channels/seen',
    summary: 'Mark the messages of channels as read, each up to a segment.',
    params: z.object({
      channels: z
        .array(z.object({ channelId: id(), readToSegment }))
        .min(1)
        .max(100),
    }),
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    path: '/api/v3/channels/:channelId/seen',
    summary: 'Mark the messages of a channel as read, up to a segment.',
    params: z.object({ channelId: id(), readToSegment }),
    variables: (channel) => ({ input: { channels: [channel] } }),
  }),
];
