import { z } from 'zod';
import { omitUndefined } from '../../content-params.ts';
import { mutation, operation } from '../../documents.ts';
import { operationParams } from '../../operation-params.ts';
import { id } from '../../params.ts';
import { route } from '../../route.ts';

const POLL = 'polls: poll { ...PollWithLinks }';

const shared = { reference: 'write-polls', arrays: ['polls', 'users', 'files'] } as const;
const ofPoll = {
  ...shared,
  path: '/api/v3/polls/:pollId',
  params: z.object({ pollId: id() }),
  variables: (input: { pollId: string }) => ({ input }),
};

export const polls = [
  route({
    ...shared,
    method: 'POST',
    path: '/api/v3/polls',
    summary: 'Create a poll.',
    params: operationParams('createPoll'),
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
    params: operationParams('updatePoll'),
    document: mutation('updatePoll', POLL),
    variables: (params) => ({ input: omitUndefined(params) }),
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/v3/polls/:pollId/votes',
    summary: 'Vote in a poll.',
    params: operationParams('votePoll'),
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
