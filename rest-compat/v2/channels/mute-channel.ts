import { forMutation, MUTE_TERMS } from '../../operation-params.ts';
import { CHANNEL, CHANNEL_AND_USERS, withSuccess } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { CHANNEL_ARRAYS } from '../../side-arrays.ts';

const shared = {
  method: 'PUT',
  reference: 'channel-membership',
  arrays: CHANNEL_ARRAYS,
  wrap: withSuccess,
} as const;

export const muteChannel = [
  route({
    ...shared,
    ...forMutation('muteChannel', CHANNEL),
    path: '/api/v2/channel/:channelId/mute',
    summary: 'Mute a channel for a period, or unmute it.',
  }),
  route({
    ...shared,
    ...forMutation('muteChannelMembers', CHANNEL_AND_USERS, { without: MUTE_TERMS }),
    path: '/api/v2/channel/:channelId/users/mute',
    summary: 'Mute members of a channel for a period, or unmute them.',
  }),
];
