import { z } from 'zod';
import { mutation } from '../../documents.ts';
import { forMutation, operationParams } from '../../operation-params.ts';
import { id } from '../../params.ts';
import { route } from '../../route.ts';
import { CHANNEL_ARRAYS } from '../../side-arrays.ts';

const CHANNELS_AND_USERS = 'channels { ...ChannelWithLinks } channelUsers { ...ChannelUserWithUser }';

const shared = { method: 'POST', reference: 'mark-read', arrays: CHANNEL_ARRAYS } as const;
const { readToSegment } = operationParams('markRead').shape;

export const markChannelsSeen = [
  route({
    ...shared,
    ...forMutation('markChannelsSeen', CHANNELS_AND_USERS),
    path: '/api/v3/channels/seen',
    summary: 'Mark the messages in the default message feeds of channels as read, each up to a segment.',
  }),
  route({
    ...shared,
    path: '/api/v3/channels/:channelId/seen',
    summary: 'Mark the messages in the default message feed of a channel as read, up to a segment.',
    // The path names one channel, the operation expects a list.
    params: z.object({ channelId: id(), readToSegment: readToSegment.nullish() }),
    document: mutation('markChannelsSeen', CHANNELS_AND_USERS),
    variables: (channel) => ({ input: { channels: [channel] } }),
  }),
];
