import { unbanCommunityMembers } from '../../src/domain/community/members/manage-members.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { membersInputFields, moved } from './moved.ts';

mutationField(
  'unbanCommunityMembers',
  {
    description: 'Which community, and whom.',
    inputFields: membersInputFields,
  },
  {
    description: 'Takes bans back: the users are no members, and may join again.',
    errors: {},
    resolve: (_, { input }, context) => unbanCommunityMembers(context, input),
  },
  { description: 'The community, and those who may join again.', outputFields: moved },
);
