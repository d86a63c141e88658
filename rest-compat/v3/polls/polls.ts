import { z } from 'zod';
import { operation } from '../../documents.ts';
import { forMutation } from '../../operation-params.ts';
import { id } from '../../params.ts';
import { withSuccess } from '../../payload-fields.ts';
import { route } from '../../route.ts';

const POLL = 'polls: poll { ...PollWithLinks }';

const shared = { reference: 'write-polls', arrays: ['polls', 'users', 'files'] } as const;

export const polls = [
  route({
    ...shared,
    ...forMutation('createPoll', POLL),
    method: 'POST',
    path: '/api/v3/polls',
    summary: 'Create a poll.',
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/v3/polls/:pollId',
    summary: 'Get one poll.',
    params: z.object({ pollId: id() }),
    document: operation('GetPoll'),
    variables: ({ pollId }) => ({ pollId }),
    required: 'Poll',
  }),
  route({
    ...shared,
    ...forMutation('updatePoll', POLL),
    method: 'PUT',
    path: '/api/v3/polls/:pollId',
    summary: 'Update or close a poll.',
  }),
  route({
    ...shared,
    ...forMutation('votePoll', POLL),
    method: 'POST',
    path: '/api/v3/polls/:pollId/votes',
    summary: 'Vote in a poll.',
  }),
  route({
    ...shared,
    ...forMutation('changePollVote', POLL),
    method: 'PUT',
    path: '/api/v3/polls/:pollId/votes',
    summary: 'Change the vote of the viewer, or withdraw it with an empty list.',
  }),
  route({
    ...shared,
    ...forMutation('unvotePoll', POLL),
    method: 'DELETE',
    path: '/api/v3/polls/:pollId/votes',
    summary: 'Withdraw the vote of the viewer.',
  }),
  route({
    ...shared,
    ...forMutation('deletePoll', POLL),
    method: 'DELETE',
    path: '/api/v3/polls/:pollId',
    summary: 'Delete a poll.',
    wrap: withSuccess,
  }),
];
