import { z } from 'zod';
import { mutation } from '../../documents.ts';
import { id, int, list } from '../../params.ts';
import { CHANNEL, CHANNEL_AND_USERS } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { CHANNEL_ARRAYS } from '../../side-arrays.ts';

/** Milliseconds; −1 mutes without end, 0 unmutes. */
const mutePeriod = int({ min: -1, max: 2 ** 31 - 1 });
const shared = { method: 'PUT', reference: 'channel-membership', arrays: CHANNEL_ARRAYS } as const;

export const muteChannel = [
  route({
    ...shared,
    path: '/api/v2/channel/:channelId/mute',
    summary: 'Mute a channel for a time; −1 without end, 0 to unmute it.',
    params: z.object({ channelId: id(), mutePeriod }),
    document: mutation('muteChannel', CHANNEL),
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    path: '/api/v2/channel/:channelId/users/mute',
    summary: 'Mute members of a channel for a time; −1 without end, 0 to unmute them.',
    params: z.object({ channelId: id(), userIds: list(id(50), { min: 1, max: 100 }), mutePeriod }),
    document: mutation('muteChannelMembers', CHANNEL_AND_USERS),
    variables: (input) => ({ input }),
  }),
];
