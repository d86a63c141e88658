import { z } from 'zod';
import { enumParam } from '../../enum-param.ts';
import {
  type NewChannelType,
  type NotificationMode,
  RestCreateChannelDocument,
  RestCreateConversationDocument,
  RestDeleteChannelDocument,
  RestUpdateChannelDocument,
} from '../../generated/documents.ts';
import { bool, id, int, list, text } from '../../params.ts';
import { type Route, route } from '../../route.ts';
import { CHANNEL_ARRAYS } from '../../v4/channels/list-channel-users.ts';

const object = () => z.record(z.string(), z.unknown());
const look = {
  avatarFileId: id().nullish(),
  tags: list(text({ max: 100 }), { max: 20 }).nullish(),
  metadata: object().nullish(),
  notificationMode: enumParam<NotificationMode>('NotificationMode').nullish(),
};
const flags = {
  messageAutoDeleteEnabled: bool().nullish(),
  autoDeleteMessageByFlagLimit: int({ min: 0, max: 10_000 }).nullish(),
};
const shared = { section: 'legacy-facts §7', arrays: CHANNEL_ARRAYS } as const;

/** Opens, changes and closes channels. */
export const writeChannels: Route[] = [
  route({
    ...shared,
    method: 'POST',
    path: '/api/v3/channels',
    summary: 'Open a channel.',
    params: z.object({
      channelId: id(50).nullish(),
      type: enumParam<NewChannelType>('NewChannelType').nullish(),
      displayName: text({ max: 100 }),
      isPublic: bool().nullish(),
      userIds: list(id(50), { max: 100 }).nullish(),
      ...look,
      ...flags,
    }),
    document: RestCreateChannelDocument,
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/v3/channels/conversation',
    summary: 'Open a conversation, or find the one of these users.',
    params: z.object({
      userIds: list(id(50), { min: 1, max: 100 }),
      isDistinct: bool().nullish(),
      displayName: text({ min: 0, max: 100 }).nullish(),
      ...look,
    }),
    document: RestCreateConversationDocument,
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    method: 'PUT',
    path: '/api/v3/channels/:channelId',
    summary: 'Change a channel.',
    params: z.object({
      channelId: id(),
      displayName: text({ max: 100 }).optional(),
      isPublic: bool().optional(),
      ...look,
      ...flags,
    }),
    document: RestUpdateChannelDocument,
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/api/v3/channels/:channelId',
    summary: 'Close a channel for everybody.',
    params: z.object({ channelId: id() }),
    document: RestDeleteChannelDocument,
    variables: (input) => ({ input }),
  }),
];
