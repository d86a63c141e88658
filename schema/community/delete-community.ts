import { deleteCommunity } from '../../src/domain/community/delete-community.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Community } from './community.ts';

mutationField(
  'deleteCommunity',
  {
    description: 'Which community.',
    inputFields: (t) => ({ communityId: t.string({ required: true, description: 'Public id of the community.' }) }),
  },
  {
    description: 'Deletes a community and its chat.',
    errors: {},
    resolve: async (_, { input }, context) => ({ community: await deleteCommunity(context, input) }),
  },
  {
    description: 'The deleted community.',
    outputFields: (t) => ({ community: t.expose('community', { type: Community, description: 'The community.' }) }),
  },
);
