import { z } from 'zod';
import { Slot } from '../../answer-schema.ts';
import { operation } from '../../documents.ts';
import { enumParam } from '../../enum-param.ts';
import { connectionVariables } from '../../paging.ts';
import { id, list, pagingOptions } from '../../params.ts';
import { route } from '../../route.ts';

/** Published clients read the users by these ids. */
function withUserIds(body: { [key: string]: unknown }): object {
  const { users } = body;
  return { publicUserIds: Array.isArray(users) ? users.map(({ userId }) => userId) : userIdsSchema, ...body };
}
const userIdsSchema = new Slot({ type: 'array', items: { type: 'string' } });

const shared = {
  method: 'GET',
  reference: 'read-markers',
  params: z.object({
    messageId: id(150),
    memberships: list(enumParam('MarkerMembership'), { max: 5 }).optional(),
    options: pagingOptions(),
  }),
  // `messages` is the main array: a message that does not exist is a 404, one without readers is not.
  arrays: ['messages', 'contentMarkers', 'feedMarkers', 'userFeedMarkers', 'users', 'files'],
  required: 'Message',
  paging: ['previous'],
  wrapReadsRecords: true,
  wrap: withUserIds,
} as const;

type Params = z.output<(typeof shared)['params']>;
const variables = ({ messageId, memberships, options }: Params) => ({
  messageId,
  memberships: memberships ?? null,
  ...connectionVariables(options),
});

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
