import { z } from 'zod';
import { givenParams } from '../../content-params.ts';
import { enumParam } from '../../enum-param.ts';
import {
  CreateRestPollDocument,
  DeleteRestPollDocument,
  GetPollDocument,
  type PollAnswerDataType,
  type PollAnswerType,
  type PollClosing,
  UnvoteRestPollDocument,
  UpdateRestPollDocument,
  VoteRestPollDocument,
} from '../../generated/documents.ts';
import { id, int, list, text } from '../../params.ts';
import { type Route, route } from '../../route.ts';

const shared = { section: 'legacy-facts §7', arrays: ['polls', 'users', 'files'] } as const;
const one = z.object({ pollId: id() });

const answers = list(
  z.object({
    dataType: enumParam<PollAnswerDataType>('PollAnswerDataType').nullish(),
    data: text({ min: 0, max: 300 }).nullish(),
    fileId: id().nullish(),
  }),
  { min: 2, max: 10 },
);
const closedIn = int({ min: 1, max: 366 * 86_400_000 }).nullish();
const title = text({ min: 0, max: 150 }).nullish();

export const polls: Route[] = [
  route({
    ...shared,
    method: 'POST',
    path: '/api/v3/polls',
    summary: 'Create a poll.',
    params: z.object({
      title,
      question: text({ max: 500 }),
      answerType: enumParam<PollAnswerType>('PollAnswerType').nullish(),
      answers,
      closedIn,
    }),
    document: CreateRestPollDocument,
    variables: (params) => ({ input: params }),
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/v3/polls/:pollId',
    summary: 'Get one poll.',
    params: one,
    document: GetPollDocument,
    variables: ({ pollId }) => ({ pollId }),
    required: 'Poll',
  }),
  route({
    ...shared,
    method: 'PUT',
    path: '/api/v3/polls/:pollId',
    summary: 'Change or close a poll.',
    params: z.object({
      pollId: id(),
      title,
      question: text({ max: 500 }).nullish(),
      answers: answers.nullish(),
      closedIn,
      status: enumParam<PollClosing>('PollClosing').nullish(),
    }),
    document: UpdateRestPollDocument,
    variables: (params) => ({ input: givenParams(params) }),
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/v3/polls/:pollId/votes',
    summary: 'Vote in a poll.',
    params: z.object({ pollId: id(), answerIds: list(id(), { min: 1, max: 10 }) }),
    document: VoteRestPollDocument,
    variables: (params) => ({ input: params }),
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/api/v3/polls/:pollId/votes',
    summary: "Take the caller's vote back.",
    params: one,
    document: UnvoteRestPollDocument,
    variables: ({ pollId }) => ({ pollId }),
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/api/v3/polls/:pollId',
    summary: 'Delete a poll.',
    params: one,
    document: DeleteRestPollDocument,
    variables: ({ pollId }) => ({ pollId }),
  }),
];
