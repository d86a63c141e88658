import { createPoll, POLL } from './content-fixtures.ts';
import type { EventCase, ExpectedEvent } from './event-case.ts';

const pollEvent = (type: ExpectedEvent[0] & `poll.${string}`, pollId: string) =>
  [type, `default/poll/${pollId}`, { pollId }] as ExpectedEvent;

/** A vote changes the counts of the poll. */
const voteEvents = (pollId: string) => [pollEvent('poll.voted', pollId), pollEvent('poll.updated', pollId)];

export const POLL_CASES: EventCase[] = [
  {
    operation: 'createPoll',
    situation: 'two answers',
    prepare: () => ({
      input: POLL,
      select: 'poll { pollId }',
      events: ({ poll }) => [pollEvent('poll.created', poll.pollId)],
    }),
  },
  {
    operation: 'updatePoll',
    situation: 'its title',
    async prepare(context) {
      const { pollId } = await createPoll(context);
      return { input: { pollId, title: 'New' }, events: [pollEvent('poll.updated', pollId)] };
    },
  },
  {
    operation: 'updatePoll',
    situation: 'without a change',
    async prepare(context) {
      const { pollId } = await createPoll(context);
      return { input: { pollId } };
    },
  },
  {
    operation: 'updatePoll',
    situation: 'its question after a vote: fails in the transaction',
    async prepare(context) {
      const { pollId, answerId } = await createPoll(context);
      await context.mutate('alice', 'votePoll', { pollId, answerIds: [answerId] }, 'clientMutationId');
      return { input: { pollId, question: 'What else?' }, code: 'BAD_REQUEST' };
    },
  },
  {
    operation: 'closePoll',
    situation: 'an open poll',
    async prepare(context) {
      const { pollId } = await createPoll(context);
      return { input: { pollId }, events: [pollEvent('poll.updated', pollId)] };
    },
  },
  {
    operation: 'closePoll',
    situation: 'a closed poll',
    async prepare(context) {
      const { pollId } = await createPoll(context);
      await context.mutate('alice', 'closePoll', { pollId }, 'clientMutationId');
      return { input: { pollId } };
    },
  },
  {
    operation: 'votePoll',
    situation: 'for the first time',
    async prepare(context) {
      const { pollId, answerId } = await createPoll(context);
      return { input: { pollId, answerIds: [answerId] }, events: voteEvents(pollId) };
    },
  },
  {
    operation: 'votePoll',
    situation: 'a second time: fails in the transaction, after the vote was counted',
    async prepare(context) {
      const { pollId, answerId } = await createPoll(context);
      const input = { pollId, answerIds: [answerId] };
      await context.mutate('alice', 'votePoll', input, 'clientMutationId');
      return { input, code: 'DUPLICATE' };
    },
  },
  {
    operation: 'changePollVote',
    situation: 'to no answer',
    async prepare(context) {
      const { pollId, answerId } = await createPoll(context);
      await context.mutate('alice', 'votePoll', { pollId, answerIds: [answerId] }, 'clientMutationId');
      return { input: { pollId, answerIds: [] }, events: voteEvents(pollId) };
    },
  },
  {
    operation: 'changePollVote',
    situation: 'to the same answer',
    async prepare(context) {
      const { pollId, answerId } = await createPoll(context);
      const input = { pollId, answerIds: [answerId] };
      await context.mutate('alice', 'votePoll', input, 'clientMutationId');
      return { input };
    },
  },
  {
    operation: 'unvotePoll',
    situation: 'an existing vote',
    async prepare(context) {
      const { pollId, answerId } = await createPoll(context);
      await context.mutate('alice', 'votePoll', { pollId, answerIds: [answerId] }, 'clientMutationId');
      return { input: { pollId }, events: voteEvents(pollId) };
    },
  },
  {
    operation: 'unvotePoll',
    situation: 'without a vote: fails in the transaction',
    async prepare(context) {
      const { pollId } = await createPoll(context);
      return { input: { pollId }, code: 'NOT_FOUND' };
    },
  },
  {
    operation: 'deletePoll',
    situation: 'an open poll',
    async prepare(context) {
      const { pollId } = await createPoll(context);
      return { input: { pollId }, events: [pollEvent('poll.deleted', pollId)] };
    },
  },
];
