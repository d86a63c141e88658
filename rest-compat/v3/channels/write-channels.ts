import { z } from 'zod';
import { metadataParam } from '../../content-params.ts';
import { mutation } from '../../documents.ts';
import { enumParam } from '../../enum-param.ts';
import { bool, id, int, list, text } from '../../params.ts';
import { CHANNEL, CHANNEL_AND_USERS } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { CHANNEL_ARRAYS } from '../../side-arrays.ts';

const details = {
  avatarFileId: id().nullish(),
  tags: list(text({ max: 100 }), { max: 20 }).nullish(),
  metadata: metadataParam,
  notificationMode: enumParam('NotificationMode').nullish(),
};
const autoDeletion = {
  messageAutoDeleteEnabled: bool().nullish(),
  autoDeleteMessageByFlagLimit: int({ min: 0, max: 10_000 }).nullish(),
};
const shared = { reference: 'write-channels', arrays: CHANNEL_ARRAYS } as const;

export const writeChannels = [
  route({
    ...shared,
    method: 'POST',
    path: '/api/v3/channels',
    summary: 'Create a channel.',
    params: z.object({
      channelId: id(50).nullish(),
      type: enumParam('NewChannelType').nullish(),
      displayName: text({ max: 100 }),
      isPublic: bool().nullish(),
      userIds: list(id(50), { max: 100 }).nullish(),
      ...details,
      ...autoDeletion,
    }),
    document: mutation('createChannel', CHANNEL_AND_USERS),
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/v3/channels/conversation',
    summary: 'Create a conversation, or return the existing one of the same users.',
    params: z.object({
      userIds: list(id(50), { min: 1, max: 100 }),
      isDistinct: bool().nullish(),
      displayName: text({ min: 0, max: 100 }).nullish(),
      ...details,
    }),
    document: mutation('createConversation', CHANNEL_AND_USERS),
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    method: 'PUT',
    path: '/api/v3/channels/:channelId',
    summary: 'Update a channel.',
    params: z.object({
      channelId: id(),
      displayName: text({ max: 100 }).optional(),
      isPublic: bool().optional(),
      ...details,
      ...autoDeletion,
    }),
    document: mutation('updateChannel', CHANNEL),
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/api/v3/channels/:channelId',
    summary: 'Delete a channel for all its members.',
    params: z.object({ channelId: id() }),
    document: mutation('deleteChannel', CHANNEL),
    variables: (input) => ({ input }),
  }),
];
