import { addChannelRole, channelRoleInput, removeChannelRole } from '../../src/domain/channel/members/change-roles.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { MEMBERS_PAYLOAD } from './channel-payloads.ts';

mutationField(
  'addChannelRole',
  inputOf(channelRoleInput),
  {
    description: 'Assigns a role to members of a channel.',
    resolve: (_, { input }, context) => addChannelRole(context, input),
    ...causes('channel.roleAdded'),
  },
  MEMBERS_PAYLOAD,
);

mutationField(
  'removeChannelRole',
  inputOf(channelRoleInput),
  {
    description: 'Removes a role from members of a channel.',
    resolve: (_, { input }, context) => removeChannelRole(context, input),
    ...causes('channel.roleRemoved'),
  },
  MEMBERS_PAYLOAD,
);
