import { z } from 'zod';
import { id, json, tags, text, userIds, whole } from '../input.ts';
import { NOT_AVAILABLE } from '../taken-id.ts';

/** A community's channel is made with its community, a conversation by `createConversation`. */
export const NEW_CHANNEL_TYPES = ['standard', 'private', 'broadcast', 'live', 'community'] as const;

/** Prefix of the ids that the gateway generates for conversations; clients cannot choose it. */
export const CONVERSATION_PREFIX = 'conversation-';

/** The longest id that lists of channels take (interface §8), so the longest that a new channel may have. */
export const MAX_CHANNEL_ID = 50;

export const MAX_PERIOD_MS = 2 ** 31 - 1;

const settings = {
  avatarFileId: id().nullish(),
  tags: tags().nullish(),
  metadata: json().nullish(),
  notificationMode: z.enum(['default', 'silent', 'subscribe']).nullish(),
};
const moderation = {
  messageAutoDeleteEnabled: z.boolean().nullish(),
  autoDeleteMessageByFlagLimit: whole({ min: 0, max: 10_000 }).nullish(),
};

export const newChannel = z.object({
  channelId: id(MAX_CHANNEL_ID)
    .refine((value) => !value.startsWith(CONVERSATION_PREFIX), NOT_AVAILABLE)
    .nullish(),
  type: z.enum(NEW_CHANNEL_TYPES).nullish(),
  displayName: text({ max: 100 }),
  isPublic: z.boolean().nullish(),
  userIds: userIds({ min: 0 }).nullish(),
  ...settings,
  ...moderation,
});
export type NewChannel = z.input<typeof newChannel>;

export const newConversation = z.object({
  userIds: userIds(),
  isDistinct: z.boolean().nullish(),
  displayName: text({ min: 0, max: 100 }).nullish(),
  ...settings,
});
export type NewConversation = z.input<typeof newConversation>;

export const channelUpdate = z.object({
  channelId: id(),
  displayName: text({ max: 100 }).nullish(),
  isPublic: z.boolean().nullish(),
  ...settings,
  ...moderation,
});
export type ChannelUpdate = z.input<typeof channelUpdate>;
