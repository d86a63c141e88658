import { forMutation } from '../../operation-params.ts';
import { MESSAGE } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { MESSAGE_ARRAYS } from '../../side-arrays.ts';

const shared = { reference: 'send-message', arrays: MESSAGE_ARRAYS } as const;

export const writeMessages = [
  route({
    ...shared,
    ...forMutation('sendMessage', MESSAGE),
    method: 'POST',
    path: '/api/v5/messages',
    summary: 'Send a message to a message feed, or to the default message feed of a channel.',
  }),
  route({
    ...shared,
    ...forMutation('updateMessage', MESSAGE),
    method: 'PUT',
    path: '/api/v5/messages/:messageId',
    summary: 'Edit a message.',
  }),
  route({
    ...shared,
    ...forMutation('deleteMessage', MESSAGE),
    method: 'DELETE',
    path: '/api/v5/messages/:messageId',
    summary: 'Delete a message.',
  }),
];
