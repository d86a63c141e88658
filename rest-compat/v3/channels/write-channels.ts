import { mutation } from '../../documents.ts';
import { operationParams } from '../../operation-params.ts';
import { CHANNEL, CHANNEL_AND_USERS } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { CHANNEL_ARRAYS } from '../../side-arrays.ts';

const shared = { reference: 'write-channels', arrays: CHANNEL_ARRAYS } as const;

export const writeChannels = [
  route({
    ...shared,
    method: 'POST',
    path: '/api/v3/channels',
    summary: 'Create a channel.',
    params: operationParams('createChannel'),
    document: mutation('createChannel', CHANNEL_AND_USERS),
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/v3/channels/conversation',
    summary: 'Create a conversation, or return the existing one of the same users.',
    params: operationParams('createConversation'),
    document: mutation('createConversation', CHANNEL_AND_USERS),
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    method: 'PUT',
    path: '/api/v3/channels/:channelId',
    summary: 'Update a channel.',
    params: operationParams('updateChannel'),
    document: mutation('updateChannel', CHANNEL),
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/api/v3/channels/:channelId',
    summary: 'Delete a channel for all its members.',
    params: operationParams('deleteChannel'),
    document: mutation('deleteChannel', CHANNEL),
    variables: (input) => ({ input }),
  }),
];
