import { addCommunityRoles, removeCommunityRoles } from '../../src/domain/community/members/change-roles.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Community } from './community.ts';
import { CommunityUser } from './community-user.ts';

mutationField(
  'addCommunityRoles',
  {
    description: 'Which roles, and whose.',
    inputFields: (t) => ({
      communityId: t.string({ required: true, description: 'Public id of the community.' }),
      roleIds: t.stringList({ required: true, description: '1 to 100 role ids.' }),
      userIds: t.stringList({ required: true, description: '1 to 100 public ids of members.' }),
    }),
  },
  {
    description: 'Gives roles to members of a community.',
    resolve: (_, { input }, context) => addCommunityRoles(context, input),
  },
  {
    description: 'The community and the members as they are now.',
    outputFields: (t) => ({
      community: t.expose('community', { type: Community, description: 'The community.' }),
      members: t.expose('members', { type: [CommunityUser], description: 'The members that were named.' }),
    }),
  },
);

mutationField(
  'removeCommunityRoles',
  {
    description: 'Which roles, and whose.',
    inputFields: (t) => ({
      communityId: t.string({ required: true, description: 'Public id of the community.' }),
      roleIds: t.stringList({ required: true, description: '1 to 100 role ids.' }),
      userIds: t.stringList({ required: true, description: '1 to 100 public ids of members.' }),
    }),
  },
  {
    description: 'Takes roles from members of a community. The last moderator stays one.',
    resolve: (_, { input }, context) => removeCommunityRoles(context, input),
  },
  {
    description: 'The community and the members as they are now.',
    outputFields: (t) => ({
      community: t.expose('community', { type: Community, description: 'The community.' }),
      members: t.expose('members', { type: [CommunityUser], description: 'The members that were named.' }),
    }),
  },
);
