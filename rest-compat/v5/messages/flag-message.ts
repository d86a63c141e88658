import { z } from 'zod';
import { operation } from '../../documents.ts';
import { forMutation } from '../../operation-params.ts';
import { id } from '../../params.ts';
import { MESSAGE } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { MESSAGE_ARRAYS } from '../../side-arrays.ts';

const ofMessage = {
  path: '/api/v5/messages/:messageId/flags',
  reference: 'flag-message',
  arrays: MESSAGE_ARRAYS,
} as const;

export const flagMessage = [
  route({
    ...forMutation('flagMessage', 'messages: message { ...MessageOfVersion3 }', { absentAsNull: true }),
    method: 'POST',
    path: '/api/v3/messages/:messageId/flag',
    reference: 'flag-message',
    summary: 'Flag a message for its moderators; the response contains the message in the form of version 3.',
    arrays: ['messages', 'users', 'files'],
  }),
  route({
    ...ofMessage,
    ...forMutation('flagMessage', 'messages: message { ...MessageInFull }', { absentAsNull: true }),
    method: 'POST',
    summary: 'Flag a message for its moderators.',
  }),
  route({
    ...ofMessage,
    ...forMutation('unflagMessage', MESSAGE),
    method: 'DELETE',
    summary: 'Withdraw the flag of the viewer on a message.',
  }),
  route({
    ...ofMessage,
    method: 'GET',
    summary: 'Get whether the viewer has flagged a message.',
    params: z.object({ messageId: id(150) }),
    document: operation('IsMessageFlagged'),
    variables: ({ messageId }) => ({ messageId }),
    arrays: [],
  }),
];
