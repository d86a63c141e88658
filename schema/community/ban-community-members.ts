import { banCommunityMembers } from '../../src/domain/community/members/manage-members.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { membersInputFields, moved } from './moved.ts';

mutationField(
  'banCommunityMembers',
  {
    description: 'Which community, and whom.',
    inputFields: membersInputFields,
  },
  {
    description:
      'Bans users, members or not: they leave, and cannot come back. Whoever ranks higher than the viewer cannot be banned.',
    errors: {},
    resolve: (_, { input }, context) => banCommunityMembers(context, input),
  },
  { description: 'The community without them.', outputFields: moved },
);
