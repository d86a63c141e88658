import { removeCommunityMembers } from '../../src/domain/community/members/manage-members.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { membersInputFields, moved } from './moved.ts';

mutationField(
  'removeCommunityMembers',
  {
    description: 'Which community, and whom.',
    inputFields: membersInputFields,
  },
  {
    description: 'Ends memberships. Whoever ranks higher than the viewer stays; so does the last moderator.',
    errors: {},
    resolve: (_, { input }, context) => removeCommunityMembers(context, input),
  },
  { description: 'The community without them.', outputFields: moved },
);
