import {
  addCommunityMembers,
  banCommunityMembers,
  removeCommunityMembers,
  unbanCommunityMembers,
} from '../../src/domain/community/members/manage-members.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { membersInputFields, moved } from './moved.ts';

mutationField(
  'addCommunityMembers',
  {
    description: 'Which community, and whom.',
    inputFields: membersInputFields,
  },
  {
    description: 'Makes users members without their asking. Whoever is banned is to be unbanned first.',
    resolve: (_, { input }, context) => addCommunityMembers(context, input),
  },
  { description: 'The community with its new members.', outputFields: moved },
);

mutationField(
  'removeCommunityMembers',
  {
    description: 'Which community, and whom.',
    inputFields: membersInputFields,
  },
  {
    description: 'Ends memberships. Whoever ranks higher than the viewer stays; so does the last moderator.',
    resolve: (_, { input }, context) => removeCommunityMembers(context, input),
  },
  { description: 'The community without them.', outputFields: moved },
);

mutationField(
  'banCommunityMembers',
  {
    description: 'Which community, and whom.',
    inputFields: membersInputFields,
  },
  {
    description:
      'Bans users, members or not: they leave, and cannot come back. Whoever ranks higher than the viewer cannot be banned.',
    resolve: (_, { input }, context) => banCommunityMembers(context, input),
  },
  { description: 'The community without them.', outputFields: moved },
);

mutationField(
  'unbanCommunityMembers',
  {
    description: 'Which community, and whom.',
    inputFields: membersInputFields,
  },
  {
    description: 'Takes bans back: the users are no members, and may join again.',
    resolve: (_, { input }, context) => unbanCommunityMembers(context, input),
  },
  { description: 'The community, and those who may join again.', outputFields: moved },
);
