import { forMutation } from '../../operation-params.ts';
import { CHANNEL_AND_USERS } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { CHANNEL_ARRAYS } from '../../side-arrays.ts';

const shared = {
  path: '/api/v3/channels/:channelId/users/roles',
  reference: 'channel-roles',
  arrays: CHANNEL_ARRAYS,
};

export const changeChannelRoles = [
  route({
    ...shared,
    ...forMutation('addChannelRole', CHANNEL_AND_USERS),
    method: 'POST',
    summary: 'Assign a role to members of a channel.',
  }),
  route({
    ...shared,
    ...forMutation('removeChannelRole', CHANNEL_AND_USERS),
    method: 'DELETE',
    summary: 'Remove a role from members of a channel.',
  }),
];
