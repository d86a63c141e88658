import { updatePoll } from '../../src/domain/poll/update-poll.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { Poll } from './poll.ts';
import { PollAnswerInput } from './poll-answer-input.ts';

const PollClosing = restEnum('PollClosing', 'Status that an update can give to a poll.', {
  closed: 'Closes the poll immediately; it accepts no further votes.',
});

mutationField(
  'updatePoll',
  {
    description: 'Which poll, and what changes. What is left out stays.',
    inputFields: (t) => ({
      pollId: t.string({ required: true, description: 'Public id.' }),
      title: t.string({ description: 'Headline; null clears it.' }),
      question: t.string({ description: 'What is asked; until somebody voted.' }),
      answers: t.field({ type: [PollAnswerInput], description: 'All its answers from now on; until somebody voted.' }),
      closedIn: t.float({ description: 'Milliseconds from its making to its closing, which must be to come.' }),
      status: t.field({ type: PollClosing, description: 'Closes it at once.' }),
    }),
  },
  {
    description: 'Changes an open poll: its maker does, and whoever moderates network-wide.',
    errors: {},
    resolve: async (_, { input }, context) => ({ poll: await updatePoll(context, input) }),
  },
  {
    description: 'The changed poll.',
    outputFields: (t) => ({ poll: t.expose('poll', { type: Poll, description: 'The changed poll.' }) }),
  },
);
