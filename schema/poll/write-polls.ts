import { createPoll } from '../../src/domain/poll/create-poll.ts';
import { createPollInput, pollAnswer, pollIdInput, updatePollInput } from '../../src/domain/poll/poll-input.ts';
import { closePoll, deletePoll, updatePoll } from '../../src/domain/poll/update-poll.ts';
import { inputOf, inputType } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { Poll, PollAnswerDataType, PollAnswerType } from './poll.ts';

const PollAnswerInput = inputType('PollAnswerInput', 'An answer of a poll.', {
  schema: pollAnswer,
  types: { dataType: PollAnswerDataType },
});

mutationField(
  'createPoll',
  inputOf(createPollInput, { answerType: PollAnswerType, answers: PollAnswerInput }),
  {
    description: 'Creates a poll, which only the viewer can see until a post shows it.',
    resolve: async (_, { input }, context) => ({ poll: await createPoll(context, input) }),
    ...causes('poll.created'),
  },
  { outputFields: (t) => ({ poll: t.expose('poll', { type: Poll, description: 'The new poll.' }) }) },
);

const PollClosing = restEnum('PollClosing', 'Status that an update can give to a poll.', {
  closed: 'Closes the poll immediately; it accepts no further votes.',
});

mutationField(
  'updatePoll',
  inputOf(updatePollInput, { answers: PollAnswerInput, status: PollClosing }),
  {
    description:
      'Changes an open poll. Omitted fields stay unchanged; a null title clears it. Allowed for its creator and for network moderators.',
    resolve: async (_, { input }, context) => ({ poll: await updatePoll(context, input) }),
    ...causes('poll.updated'),
  },
  { outputFields: (t) => ({ poll: t.expose('poll', { type: Poll, description: 'The updated poll.' }) }) },
);

mutationField(
  'closePoll',
  inputOf(pollIdInput),
  {
    description: 'Closes a poll before its time. Does nothing if it is closed.',
    resolve: async (_, { input }, context) => ({ poll: await closePoll(context, input) }),
    ...causes('poll.updated'),
  },
  { outputFields: (t) => ({ poll: t.expose('poll', { type: Poll, description: 'The closed poll.' }) }) },
);

mutationField(
  'deletePoll',
  inputOf(pollIdInput),
  {
    description: 'Deletes a poll. Posts that show it are not deleted.',
    resolve: async (_, { input }, context) => ({ poll: await deletePoll(context, input) }),
    ...causes('poll.deleted'),
  },
  { outputFields: (t) => ({ poll: t.expose('poll', { type: Poll, description: 'The deleted poll.' }) }) },
);
