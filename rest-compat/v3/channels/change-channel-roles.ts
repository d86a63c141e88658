import { z } from 'zod';
import { mutation } from '../../documents.ts';
import { id, list } from '../../params.ts';
import { CHANNEL_AND_USERS } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { CHANNEL_ARRAYS } from '../../side-arrays.ts';

const shared = {
  path: '/api/v3/channels/:channelId/users/roles',
  reference: 'channel-roles',
  params: z.object({ channelId: id(), role: id(100), userIds: list(id(50), { min: 1, max: 100 }) }),
  variables: (input: { channelId: string; role: string; userIds: string[] }) => ({ input }),
  arrays: CHANNEL_ARRAYS,
};

export const changeChannelRoles = [
  route({
    ...shared,
    method: 'POST',
    summary: 'Add a role to users of a channel.',
    document: mutation('addChannelRole', CHANNEL_AND_USERS),
  }),
  route({
    ...shared,
    method: 'DELETE',
    summary: 'Remove a role from users of a channel.',
    document: mutation('removeChannelRole', CHANNEL_AND_USERS),
  }),
];
