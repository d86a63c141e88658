import { newPoll, POLL } from './made.ts';
import type { EventRow, Expected } from './row.ts';

const of = (type: Expected[0] & `poll.${string}`, pollId: string) =>
  [type, `default/poll/${pollId}`, { pollId }] as Expected;

export const POLL_ROWS: EventRow[] = [
  {
    operation: 'createPoll',
    situation: 'two answers',
    prepare: () => ({
      input: POLL,
      select: 'poll { pollId }',
      events: ({ poll }) => [of('poll.created', poll.pollId)],
    }),
  },
  {
    operation: 'updatePoll',
    situation: 'another title',
    async prepare(world) {
      const { pollId } = await newPoll(world);
      return { input: { pollId, title: 'New' }, events: [of('poll.updated', pollId)] };
    },
  },
  {
    operation: 'updatePoll',
    situation: 'nothing is named',
    async prepare(world) {
      const { pollId } = await newPoll(world);
      return { input: { pollId, question: null } };
    },
  },
  {
    operation: 'updatePoll',
    situation: 'another question after a vote: fails in the transaction',
    async prepare(world) {
      const { pollId, answerId } = await newPoll(world);
      await world.make('alice', 'votePoll', { pollId, answerIds: [answerId] }, 'clientMutationId');
      return { input: { pollId, question: 'What else?' }, code: 'BAD_REQUEST' };
    },
  },
  {
    operation: 'closePoll',
    situation: 'one that is open',
    async prepare(world) {
      const { pollId } = await newPoll(world);
      return { input: { pollId }, events: [of('poll.updated', pollId)] };
    },
  },
  {
    operation: 'closePoll',
    situation: 'one that is closed',
    async prepare(world) {
      const { pollId } = await newPoll(world);
      await world.make('alice', 'closePoll', { pollId }, 'clientMutationId');
      return { input: { pollId } };
    },
  },
  {
    operation: 'votePoll',
    situation: 'for the first time',
    async prepare(world) {
      const { pollId, answerId } = await newPoll(world);
      return { input: { pollId, answerIds: [answerId] }, events: [of('poll.voted', pollId)] };
    },
  },
  {
    operation: 'votePoll',
    situation: 'a second time: fails in the transaction, after the vote was counted',
    async prepare(world) {
      const { pollId, answerId } = await newPoll(world);
      const input = { pollId, answerIds: [answerId] };
      await world.make('alice', 'votePoll', input, 'clientMutationId');
      return { input, code: 'DUPLICATE' };
    },
  },
  {
    operation: 'unvotePoll',
    situation: 'a vote that stands',
    async prepare(world) {
      const { pollId, answerId } = await newPoll(world);
      await world.make('alice', 'votePoll', { pollId, answerIds: [answerId] }, 'clientMutationId');
      return { input: { pollId }, events: [of('poll.voted', pollId)] };
    },
  },
  {
    operation: 'unvotePoll',
    situation: 'without a vote: fails in the transaction',
    async prepare(world) {
      const { pollId } = await newPoll(world);
      return { input: { pollId }, code: 'NOT_FOUND' };
    },
  },
  {
    operation: 'deletePoll',
    situation: 'one that is open',
    async prepare(world) {
      const { pollId } = await newPoll(world);
      return { input: { pollId }, events: [of('poll.deleted', pollId)] };
    },
  },
];
