import { deletePoll } from '../../src/domain/poll/update-poll.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Poll } from './poll.ts';

mutationField(
  'deletePoll',
  {
    description: 'Which poll.',
    inputFields: (t) => ({ pollId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: 'Deletes a poll. The posts that show it stay, without what it asked.',
    errors: {},
    resolve: async (_, { input }, context) => ({ poll: await deletePoll(context, input) }),
  },
  {
    description: 'The deleted poll.',
    outputFields: (t) => ({ poll: t.expose('poll', { type: Poll, description: 'The deleted poll.' }) }),
  },
);
