import { z } from 'zod';
import { operation } from '../../documents.ts';
import { connectionVariables } from '../../paging.ts';
import { id, pagingOptions } from '../../params.ts';
import { route } from '../../route.ts';

const shared = {
  method: 'GET',
  reference: 'read-markers',
  params: z.object({ messageId: id(150), options: pagingOptions() }),
  // `messages` is the main array: a message that does not exist is a 404, one without readers is not.
  arrays: ['messages', 'users', 'files'],
  required: 'Message',
  paging: ['previous'],
} as const;

type Params = z.output<(typeof shared)['params']>;
const variables = ({ messageId, options }: Params) => ({ messageId, ...connectionVariables(options) });

export const listMessageReaders = [
  route({
    ...shared,
    path: '/api/v1/markers/messages/:messageId/read-users',
    summary: 'List the members who have read a message.',
    document: operation('ReadUsersOfMessage'),
    variables,
  }),
  route({
    ...shared,
    path: '/api/v1/markers/messages/:messageId/delivered-users',
    summary: 'List the members to whose devices a message was delivered.',
    document: operation('DeliveredUsersOfMessage'),
    variables,
  }),
];
