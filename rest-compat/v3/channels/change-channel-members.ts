import { BAN_TERMS, forMutation } from '../../operation-params.ts';
import { CHANNEL_AND_USERS } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { CHANNEL_ARRAYS } from '../../side-arrays.ts';

const shared = { reference: 'channel-membership', arrays: CHANNEL_ARRAYS } as const;

export const changeChannelMembers = [
  route({
    ...shared,
    ...forMutation('joinChannel', CHANNEL_AND_USERS),
    method: 'POST',
    path: '/api/v3/channels/:channelId/join',
    summary: 'Join a channel.',
  }),
  route({
    ...shared,
    ...forMutation('leaveChannel', CHANNEL_AND_USERS),
    method: 'DELETE',
    path: '/api/v3/channels/:channelId/leave',
    summary: 'Leave a channel.',
  }),
  route({
    ...shared,
    ...forMutation('addChannelMembers', CHANNEL_AND_USERS),
    method: 'POST',
    path: '/api/v3/channels/:channelId/users',
    summary: 'Add users to a channel.',
  }),
  route({
    ...shared,
    ...forMutation('removeChannelMembers', CHANNEL_AND_USERS),
    method: 'DELETE',
    path: '/api/v3/channels/:channelId/users',
    summary: 'Remove members from a channel.',
  }),
  route({
    ...shared,
    ...forMutation('banChannelMembers', CHANNEL_AND_USERS, { without: BAN_TERMS }),
    method: 'PUT',
    path: '/api/v3/channels/:channelId/users/ban',
    summary: 'Ban users from a channel.',
  }),
  route({
    ...shared,
    ...forMutation('unbanChannelMembers', CHANNEL_AND_USERS),
    method: 'PUT',
    path: '/api/v3/channels/:channelId/users/unban',
    summary: 'Unban users from a channel.',
  }),
];
