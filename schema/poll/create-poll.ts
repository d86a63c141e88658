import { createPoll } from '../../src/domain/poll/create-poll.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Poll, PollAnswerType } from './poll.ts';
import { PollAnswerInput } from './poll-answer-input.ts';

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
    errors: {},
    resolve: async (_, { input }, context) => ({ poll: await createPoll(context, input) }),
  },
  {
    description: 'The new poll.',
    outputFields: (t) => ({ poll: t.expose('poll', { type: Poll, description: 'The new poll.' }) }),
  },
);
