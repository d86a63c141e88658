import { z } from 'zod';
import { DeliveredUsersOfMessageDocument, ReadUsersOfMessageDocument } from '../../generated/documents.ts';
import { connectionVariables } from '../../paging.ts';
import { id, pagingOptions } from '../../params.ts';
import { type Route, route } from '../../route.ts';

const shared = {
  method: 'GET',
  section: 'legacy-facts §7',
  params: z.object({ messageId: id(150), options: pagingOptions() }),
  // The message comes first, so that an absent one is told from one that nobody read.
  arrays: ['messages', 'users', 'files'],
  required: 'Message',
  paging: ['previous'],
} as const;

type Params = z.output<(typeof shared)['params']>;
const variables = ({ messageId, options }: Params) => ({ messageId, ...connectionVariables(options) });

/** How far a message has come. */
export const messageReaders: Route[] = [
  route({
    ...shared,
    path: '/api/v1/markers/messages/:messageId/read-users',
    summary: 'The members who have read a message.',
    document: ReadUsersOfMessageDocument,
    variables,
  }),
  route({
    ...shared,
    path: '/api/v1/markers/messages/:messageId/delivered-users',
    summary: 'The members to whose devices a message has come.',
    document: DeliveredUsersOfMessageDocument,
    variables,
  }),
];
