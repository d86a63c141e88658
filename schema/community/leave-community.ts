import { leaveCommunity } from '../../src/domain/community/members/leave-community.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { moved } from './moved.ts';

mutationField(
  'leaveCommunity',
  {
    description: 'Which community.',
    inputFields: (t) => ({ communityId: t.string({ required: true, description: 'Public id of the community.' }) }),
  },
  {
    description: "Ends the viewer's membership. The last moderator stays.",
    errors: {},
    resolve: (_, { input }, context) => leaveCommunity(context, input),
  },
  { description: 'The community without the viewer.', outputFields: moved },
);
