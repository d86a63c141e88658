import {
  addCommunityRoles,
  communityRolesInput,
  removeCommunityRoles,
} from '../../src/domain/community/members/change-roles.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { MEMBERSHIP_PAYLOAD } from './membership-payload.ts';

mutationField(
  'addCommunityRoles',
  inputOf(communityRolesInput),
  {
    description: 'Assigns roles to members of a community.',
    resolve: (_, { input }, context) => addCommunityRoles(context, input),
    ...causes('community.roleAdded', 'channel.roleAdded'),
  },
  MEMBERSHIP_PAYLOAD,
);

mutationField(
  'removeCommunityRoles',
  inputOf(communityRolesInput),
  {
    description: 'Removes roles from members of a community.',
    resolve: (_, { input }, context) => removeCommunityRoles(context, input),
    ...causes('community.roleRemoved', 'channel.roleRemoved'),
  },
  MEMBERSHIP_PAYLOAD,
);
