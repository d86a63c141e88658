import { cancelJoinRequest } from '../../src/domain/join-request/answer-join-request.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { JoinRequest } from './join-request.ts';

mutationField(
  'cancelJoinRequest',
  {
    description: 'Where the viewer asked to join.',
    inputFields: (t) => ({ communityId: t.string({ required: true, description: 'Public id of the community.' }) }),
  },
  {
    description: "Takes the viewer's pending request to join back.",
    errors: {},
    resolve: async (_, { input }, context) => ({ joinRequest: await cancelJoinRequest(context, input) }),
  },
  {
    description: 'The request, taken back.',
    outputFields: (t) => ({ joinRequest: t.expose('joinRequest', { type: JoinRequest, description: 'The request.' }) }),
  },
);
