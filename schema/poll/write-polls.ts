import { createPoll } from '../../src/domain/poll/create-poll.ts';
import { closePoll, deletePoll, updatePoll } from '../../src/domain/poll/update-poll.ts';
import { builder } from '../builder.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { Poll, PollAnswerDataType, PollAnswerType } from './poll.ts';

export const PollAnswerInput = builder.inputType('PollAnswerInput', {
  description: 'One of the answers of a poll.',
  fields: (t) => ({
    dataType: t.field({ type: PollAnswerDataType, description: 'What it shows; `TEXT` unless it names a file.' }),
    data: t.string({ description: 'The text, at most 300 characters; needed for `TEXT`.' }),
    fileId: t.string({ description: 'A picture of the viewer, for `IMAGE`.' }),
  }),
});

mutationField(
  'createPoll',
  {
    description: 'What to ask.',
    inputFields: (t) => ({
      title: t.string({ description: 'Headline, at most 150 characters.' }),
      question: t.string({ required: true, description: 'What is asked: 1 to 500 characters.' }),
      answerType: t.field({
        type: PollAnswerType,
        description: 'How many answers a voter chooses; `SINGLE` unless told.',
      }),
      answers: t.field({ type: [PollAnswerInput], required: true, description: '2 to 10 answers.' }),
      closedIn: t.float({ description: 'Milliseconds until it closes: 30 days unless told, 366 at most.' }),
    }),
  },
  {
    description: 'Makes a poll. Until a post shows it, only its maker sees it.',
    resolve: async (_, { input }, context) => ({ poll: await createPoll(context, input) }),
  },
  {
    description: 'The new poll.',
    outputFields: (t) => ({ poll: t.expose('poll', { type: Poll, description: 'The new poll.' }) }),
  },
);

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
    resolve: async (_, { input }, context) => ({ poll: await updatePoll(context, input) }),
  },
  {
    description: 'The changed poll.',
    outputFields: (t) => ({ poll: t.expose('poll', { type: Poll, description: 'The changed poll.' }) }),
  },
);

mutationField(
  'closePoll',
  {
    description: 'Which poll.',
    inputFields: (t) => ({ pollId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: 'Closes a poll by hand; one that is closed stays so.',
    resolve: async (_, { input }, context) => ({ poll: await closePoll(context, input) }),
  },
  {
    description: 'The closed poll.',
    outputFields: (t) => ({ poll: t.expose('poll', { type: Poll, description: 'The closed poll.' }) }),
  },
);

mutationField(
  'deletePoll',
  {
    description: 'Which poll.',
    inputFields: (t) => ({ pollId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: 'Deletes a poll. The posts that show it stay, without what it asked.',
    resolve: async (_, { input }, context) => ({ poll: await deletePoll(context, input) }),
  },
  {
    description: 'The deleted poll.',
    outputFields: (t) => ({ poll: t.expose('poll', { type: Poll, description: 'The deleted poll.' }) }),
  },
);
