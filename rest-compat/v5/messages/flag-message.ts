import { z } from 'zod';
import { mutation, operation } from '../../documents.ts';
import { operationParams } from '../../operation-params.ts';
import { id } from '../../params.ts';
import { MESSAGE } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { MESSAGE_ARRAYS } from '../../side-arrays.ts';

const ofMessage = {
  path: '/api/v5/messages/:messageId/flags',
  reference: 'flag-message',
  params: z.object({ messageId: id(150) }),
  arrays: MESSAGE_ARRAYS,
} as const;

const flag = operationParams('flagMessage');
const flagVariables = ({ messageId, reason, detail }: z.output<typeof flag>) => ({
  input: { messageId, reason: reason ?? null, detail: detail ?? null },
});

export const flagMessage = [
  route({
    method: 'POST',
    path: '/api/v3/messages/:messageId/flag',
    reference: 'flag-message',
    summary: 'Flag a message for its moderators; answers with the message in the form of version 3.',
    params: flag,
    document: mutation('flagMessage', 'messages: message { ...MessageOfVersion3 }'),
    variables: flagVariables,
    arrays: ['messages', 'users', 'files'],
  }),
  route({
    ...ofMessage,
    method: 'POST',
    summary: 'Flag a message for its moderators.',
    params: flag,
    document: mutation('flagMessage', 'messages: message { ...MessageWithLinks }'),
    variables: flagVariables,
  }),
  route({
    ...ofMessage,
    method: 'DELETE',
    summary: "Withdraw the caller's flag on a message.",
    document: mutation('unflagMessage', MESSAGE),
    variables: (input) => ({ input }),
  }),
  route({
    ...ofMessage,
    method: 'GET',
    summary: 'Whether the caller flagged a message.',
    document: operation('IsMessageFlagged'),
    variables: ({ messageId }) => ({ messageId }),
    arrays: [],
  }),
];
