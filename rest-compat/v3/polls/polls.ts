import { z } from 'zod';
import { omitUndefined } from '../../content-params.ts';
import { mutation, operation } from '../../documents.ts';
import { enumParam } from '../../enum-param.ts';
import { id, int, list, text } from '../../params.ts';
import { route } from '../../route.ts';

const POLL = 'polls: poll { ...PollWithLinks }';

const shared = { reference: 'write-polls', arrays: ['polls', 'users', 'files'] } as const;
const ofPoll = {
  ...shared,
  path: '/api/v3/polls/:pollId',
  params: z.object({ pollId: id() }),
  variables: (input: { pollId: string }) => ({ input }),
};

const answers = list(
  z.object({
    dataType: enumParam('PollAnswerDataType').nullish(),
    data: text({ min: 0, max: 300 }).nullish(),
    fileId: id().nullish(),
  }),
  { min: 2, max: 10 },
);
/** Milliseconds: at most a year. */
const closedIn = int({ min: 1, max: 366 * 86_400_000 }).nullish();
const title = text({ min: 0, max: 150 }).nullish();

export const polls = [
  route({
    ...shared,
    method: 'POST',
    path: '/api/v3/polls',
    summary: 'Create a poll.',
    params: z.object({
      title,
      question: text({ max: 500 }),
      answerType: enumParam('PollAnswerType').nullish(),
      answers,
      closedIn,
    }),
    document: mutation('createPoll', POLL),
    variables: (input) => ({ input }),
  }),
  route({
    ...ofPoll,
    method: 'GET',
    summary: 'Get one poll.',
    document: operation('GetPoll'),
    variables: ({ pollId }) => ({ pollId }),
    required: 'Poll',
  }),
  route({
    ...shared,
    method: 'PUT',
    path: '/api/v3/polls/:pollId',
    summary: 'Update or close a poll.',
    params: z.object({
      pollId: id(),
      title,
      question: text({ max: 500 }).nullish(),
      answers: answers.nullish(),
      closedIn,
      status: enumParam('PollClosing').nullish(),
    }),
    document: mutation('updatePoll', POLL),
    variables: (params) => ({ input: omitUndefined(params) }),
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/v3/polls/:pollId/votes',
    summary: 'Vote in a poll.',
    params: z.object({ pollId: id(), answerIds: list(id(), { min: 1, max: 10 }) }),
    document: mutation('votePoll', POLL),
    variables: (input) => ({ input }),
  }),
  route({
    ...ofPoll,
    method: 'DELETE',
    path: '/api/v3/polls/:pollId/votes',
    summary: "Withdraw the caller's vote.",
    document: mutation('unvotePoll', POLL),
  }),
  route({ ...ofPoll, method: 'DELETE', summary: 'Delete a poll.', document: mutation('deletePoll', POLL) }),
];
