import { unvotePoll, votePoll } from '../../src/domain/poll/vote-poll.ts';
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
    resolve: async (_, { input }, context) => ({ poll: await votePoll(context, input) }),
  },
  {
    description: 'The poll with the vote.',
    outputFields: (t) => ({ poll: t.expose('poll', { type: Poll, description: 'The poll with the vote.' }) }),
  },
);

mutationField(
  'unvotePoll',
  {
    description: 'Which poll.',
    inputFields: (t) => ({ pollId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: "Takes the viewer's vote back while the poll is open.",
    resolve: async (_, { input }, context) => ({ poll: await unvotePoll(context, input) }),
  },
  {
    description: 'The poll without the vote.',
    outputFields: (t) => ({ poll: t.expose('poll', { type: Poll, description: 'The poll without the vote.' }) }),
  },
);
