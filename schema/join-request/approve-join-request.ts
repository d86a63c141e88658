import { approveJoinRequest } from '../../src/domain/join-request/answer-join-request.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { answered } from './answered.ts';

mutationField(
  'approveJoinRequest',
  {
    description: 'Which request: who asked, and where.',
    inputFields: (t) => ({
      communityId: t.string({ required: true, description: 'Public id of the community.' }),
      userId: t.string({ required: true, description: 'Public id of whoever asked.' }),
    }),
  },
  {
    description: 'Makes whoever asked to join a member.',
    errors: {},
    resolve: (_, { input }, context) => approveJoinRequest(context, input),
  },
  { description: 'The request, answered.', outputFields: answered },
);
