import { pollIdInput } from '../../src/domain/poll/poll-input.ts';
import {
  changePollVote,
  changePollVoteInput,
  unvotePoll,
  votePoll,
  votePollInput,
} from '../../src/domain/poll/vote-poll.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { Poll } from './poll.ts';

mutationField(
  'votePoll',
  inputOf(votePollInput),
  {
    description:
      'Votes in an open poll. Allowed for every user who can see it. `DUPLICATE` if the viewer has already voted.',
    resolve: async (_, { input }, context) => ({ poll: await votePoll(context, input) }),
    ...causes('poll.voted', 'poll.updated'),
  },
  { outputFields: (t) => ({ poll: t.expose('poll', { type: Poll, description: 'The poll with the vote.' }) }) },
);

mutationField(
  'changePollVote',
  inputOf(changePollVoteInput),
  {
    description:
      'Replaces the vote of the viewer in an open poll, or withdraws it. Votes if the viewer has not voted. Does nothing if the vote stays the same.',
    resolve: async (_, { input }, context) => ({ poll: await changePollVote(context, input) }),
    ...causes('poll.voted', 'poll.updated'),
  },
  { outputFields: (t) => ({ poll: t.expose('poll', { type: Poll, description: 'The poll with the changed vote.' }) }) },
);

mutationField(
  'unvotePoll',
  inputOf(pollIdInput),
  {
    description: 'Withdraws the vote of the viewer from an open poll.',
    resolve: async (_, { input }, context) => ({ poll: await unvotePoll(context, input) }),
    ...causes('poll.voted', 'poll.updated'),
  },
  { outputFields: (t) => ({ poll: t.expose('poll', { type: Poll, description: 'The poll without the vote.' }) }) },
);
