import { forMutation } from '../../operation-params.ts';
import { CHANNEL, CHANNEL_AND_USERS } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { CHANNEL_ARRAYS } from '../../side-arrays.ts';

const shared = { reference: 'write-channels', arrays: CHANNEL_ARRAYS } as const;

export const writeChannels = [
  route({
    ...shared,
    ...forMutation('createChannel', CHANNEL_AND_USERS),
    method: 'POST',
    path: '/api/v3/channels',
    summary: 'Create a channel.',
  }),
  route({
    ...shared,
    ...forMutation('createConversation', CHANNEL_AND_USERS),
    method: 'POST',
    path: '/api/v3/channels/conversation',
    summary: 'Create a conversation, or return the existing one of exactly the same users.',
  }),
  route({
    ...shared,
    ...forMutation('updateChannel', CHANNEL),
    method: 'PUT',
    path: '/api/v3/channels/:channelId',
    summary: 'Update a channel.',
  }),
  route({
    ...shared,
    ...forMutation('deleteChannel', CHANNEL),
    method: 'DELETE',
    path: '/api/v3/channels/:channelId',
    summary: 'Delete a channel for all its members.',
  }),
];
