import { rejectJoinRequest } from '../../src/domain/join-request/answer-join-request.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { answered } from './answered.ts';

mutationField(
  'rejectJoinRequest',
  {
    description: 'Which request: who asked, and where.',
    inputFields: (t) => ({
      communityId: t.string({ required: true, description: 'Public id of the community.' }),
      userId: t.string({ required: true, description: 'Public id of whoever asked.' }),
    }),
  },
  {
    description: 'Refuses whoever asked to join; they may ask again.',
    errors: {},
    resolve: (_, { input }, context) => rejectJoinRequest(context, input),
  },
  { description: 'The request, answered.', outputFields: answered },
);
