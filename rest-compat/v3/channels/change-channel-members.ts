import { z } from 'zod';
import { mutation } from '../../documents.ts';
import { id, list } from '../../params.ts';
import { CHANNEL_AND_USERS } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { CHANNEL_ARRAYS } from '../../side-arrays.ts';

const shared = { reference: 'channel-membership', arrays: CHANNEL_ARRAYS } as const;
const ofCaller = {
  ...shared,
  params: z.object({ channelId: id() }),
  variables: (input: { channelId: string }) => ({ input }),
};
const ofUsers = {
  ...shared,
  params: z.object({ channelId: id(), userIds: list(id(50), { min: 1, max: 100 }) }),
  variables: (input: { channelId: string; userIds: string[] }) => ({ input }),
};

export const changeChannelMembers = [
  route({
    ...ofCaller,
    method: 'POST',
    path: '/api/v3/channels/:channelId/join',
    summary: 'Join a channel.',
    document: mutation('joinChannel', CHANNEL_AND_USERS),
  }),
  route({
    ...ofCaller,
    method: 'DELETE',
    path: '/api/v3/channels/:channelId/leave',
    summary: 'Leave a channel.',
    document: mutation('leaveChannel', CHANNEL_AND_USERS),
  }),
  route({
    ...ofUsers,
    method: 'POST',
    path: '/api/v3/channels/:channelId/users',
    summary: 'Add users to a channel.',
    document: mutation('addChannelMembers', CHANNEL_AND_USERS),
  }),
  route({
    ...ofUsers,
    method: 'DELETE',
    path: '/api/v3/channels/:channelId/users',
    summary: 'Remove users from a channel.',
    document: mutation('removeChannelMembers', CHANNEL_AND_USERS),
  }),
  route({
    ...ofUsers,
    method: 'PUT',
    path: '/api/v3/channels/:channelId/users/ban',
    summary: 'Ban users from a channel.',
    document: mutation('banChannelMembers', CHANNEL_AND_USERS),
  }),
  route({
    ...ofUsers,
    method: 'PUT',
    path: '/api/v3/channels/:channelId/users/unban',
    summary: 'Lift bans from a channel.',
    document: mutation('unbanChannelMembers', CHANNEL_AND_USERS),
  }),
];
