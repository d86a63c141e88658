import { votePoll } from '../../src/domain/poll/vote-poll.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Poll } from './poll.ts';

mutationField(
  'votePoll',
  {
    description: 'Which poll, and for what.',
    inputFields: (t) => ({
      pollId: t.string({ required: true, description: 'Public id.' }),
      answerIds: t.stringList({
        required: true,
        description: 'Ids of answers: one, or several where the poll says so.',
      }),
    }),
  },
  {
    description: 'Votes in an open poll, once. Whoever sees it votes.',
    errors: {},
    resolve: async (_, { input }, context) => ({ poll: await votePoll(context, input) }),
  },
  {
    description: 'The poll with the vote.',
    outputFields: (t) => ({ poll: t.expose('poll', { type: Poll, description: 'The poll with the vote.' }) }),
  },
);
