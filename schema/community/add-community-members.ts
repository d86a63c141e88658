import { addCommunityMembers } from '../../src/domain/community/members/manage-members.ts';
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
    errors: {},
    resolve: (_, { input }, context) => addCommunityMembers(context, input),
  },
  { description: 'The community with its new members.', outputFields: moved },
);
