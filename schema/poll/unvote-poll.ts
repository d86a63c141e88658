import { unvotePoll } from '../../src/domain/poll/vote-poll.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Poll } from './poll.ts';

mutationField(
  'unvotePoll',
  {
    description: 'Which poll.',
    inputFields: (t) => ({ pollId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: "Takes the viewer's vote back while the poll is open.",
    errors: {},
    resolve: async (_, { input }, context) => ({ poll: await unvotePoll(context, input) }),
  },
  {
    description: 'The poll without the vote.',
    outputFields: (t) => ({ poll: t.expose('poll', { type: Poll, description: 'The poll without the vote.' }) }),
  },
);
