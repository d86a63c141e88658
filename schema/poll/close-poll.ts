import { closePoll } from '../../src/domain/poll/update-poll.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Poll } from './poll.ts';

mutationField(
  'closePoll',
  {
    description: 'Which poll.',
    inputFields: (t) => ({ pollId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: 'Closes a poll by hand; one that is closed stays so.',
    errors: {},
    resolve: async (_, { input }, context) => ({ poll: await closePoll(context, input) }),
  },
  {
    description: 'The closed poll.',
    outputFields: (t) => ({ poll: t.expose('poll', { type: Poll, description: 'The closed poll.' }) }),
  },
);
