import { updateCommunity } from '../../src/domain/community/update-community.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Community } from './community.ts';
import { communityInputFields } from './community-input.ts';

mutationField(
  'updateCommunity',
  {
    description: 'Which community, and what to change. What is absent stays; null clears what can be empty.',
    inputFields: (t) => ({
      communityId: t.string({ required: true, description: 'Public id of the community.' }),
      displayName: t.string({ description: 'Name to show, 1 to 100 characters.' }),
      ...communityInputFields(t),
    }),
  },
  {
    description: 'Changes what is said of a community. Its chat takes its name, picture and openness.',
    errors: {},
    resolve: async (_, { input }, context) => ({ community: await updateCommunity(context, input) }),
  },
  {
    description: 'The community as it is now.',
    outputFields: (t) => ({ community: t.expose('community', { type: Community, description: 'The community.' }) }),
  },
);
