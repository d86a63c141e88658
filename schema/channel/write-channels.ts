import {
  channelIdInput,
  createChannelInput,
  createConversationInput,
  type NEW_CHANNEL_TYPES,
  updateChannelInput,
} from '../../src/domain/channel/channel-input.ts';
import { createConversation } from '../../src/domain/channel/conversations/create-conversation.ts';
import { createChannel } from '../../src/domain/channel/create-channel.ts';
import { deleteChannel, updateChannel } from '../../src/domain/channel/update-channel.ts';
import { NotificationMode } from '../community/community.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { CHANNEL_PAYLOAD, MEMBERS_PAYLOAD } from './channel-payloads.ts';

const NewChannelType = restEnum<(typeof NEW_CHANNEL_TYPES)[number]>(
  'NewChannelType',
  'Type of a channel that `createChannel` can create.',
  {
    standard: 'Group channel. Users who are not members can find and read it, unless `isPublic` is false. Default.',
    private: 'Group channel that only its members can find and read.',
    broadcast:
      'Announcement channel: members read, moderators write. Creating one requires EDIT_CHANNEL in the network.',
    live: 'Channel presented as a live chat. It belongs to no video stream or room: their chats are created with them.',
    community:
      'Channel presented as a community chat. It belongs to no community: the chat of a community is created with it.',
  },
);

mutationField(
  'createChannel',
  inputOf(createChannelInput, { type: NewChannelType, notificationMode: NotificationMode }),
  {
    description: 'Creates a channel with the viewer as its moderator.',
    resolve: (_, { input }, context) => createChannel(context, input),
    ...causes('channel.created'),
  },
  MEMBERS_PAYLOAD,
);

mutationField(
  'createConversation',
  inputOf(createConversationInput, { notificationMode: NotificationMode }),
  {
    description:
      'Creates a conversation, or returns the existing one of exactly these members unless `isDistinct` is false.',
    resolve: (_, { input }, context) => createConversation(context, input),
    ...causes('channel.created'),
  },
  MEMBERS_PAYLOAD,
);

mutationField(
  'updateChannel',
  inputOf(updateChannelInput, { notificationMode: NotificationMode }),
  {
    description: 'Changes a channel. Omitted fields stay unchanged; null clears an optional field.',
    resolve: async (_, { input }, context) => ({ channel: await updateChannel(context, input) }),
    ...causes('channel.updated'),
  },
  CHANNEL_PAYLOAD,
);

mutationField(
  'deleteChannel',
  inputOf(channelIdInput),
  {
    description: 'Deletes a channel for all its members.',
    resolve: async (_, { input }, context) => ({ channel: await deleteChannel(context, input) }),
    ...causes('channel.deleted'),
  },
  CHANNEL_PAYLOAD,
);
