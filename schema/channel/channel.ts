import { isMutedNow } from '../../src/access/channel.ts';
import { viewerOf } from '../../src/context.ts';
import { channelName } from '../../src/domain/channel/conversations/channel-name.ts';
import { getChannel, getChannels } from '../../src/domain/channel/get-channel.ts';
import { conversationMembers } from '../../src/domain/channel/members/get-channel-user.ts';
import { hasRateLimitNow } from '../../src/domain/channel/moderation/is-rate-limited.ts';
import { previewIdOf, previewOf } from '../../src/domain/message/content/message-preview.ts';
import type { ChannelRecord } from '../../src/store/records/chat.ts';
import { builder } from '../builder.ts';
import { Community, NotificationMode } from '../community/community.ts';
import { File } from '../file/file.ts';
import { ChannelType, Message } from '../message/message.ts';
import { MessagePreview } from '../message/message-preview.ts';
import { MessageFeed } from '../message-feed/message-feed.ts';
import { connectionType } from '../shared/connection-type.ts';
import { nodeType } from '../shared/node.ts';
import { ofRecord } from '../shared/of-record.ts';
import { ChannelUser } from './channel-user.ts';

export const Channel = nodeType<ChannelRecord>('Channel', {
  description: 'A chat channel with members and message feeds.',
  id: 'channelId',
  load: (context, channelId) => getChannel(context, { channelId }),
});

const ChannelAttachment = builder.objectRef<NonNullable<ChannelRecord['attachedTo']>>('ChannelAttachment').implement({
  description: 'The record to which a live chat channel belongs.',
  fields: (t) => ({
    postId: t.exposeString('postId', { nullable: true, description: 'Public id of the post.' }),
    videoStreamId: t.exposeString('videoStreamId', { nullable: true, description: 'Public id of the video stream.' }),
    roomId: t.exposeString('roomId', { nullable: true, description: 'Public id of the room.' }),
  }),
});

builder.objectFields(Channel, (t) => ({
  channelId: t.exposeString('channelId', { description: 'Public id.' }),
  internalId: t.string({
    ...ofRecord,
    description: 'Internal id, 24 hex digits.',
    resolve: (channel) => channel._id.toHexString(),
  }),
  path: t.exposeString('path', { description: 'Path of the channel, for subscriptions to its events.' }),
  displayName: t.string({
    description: 'Display name. For a conversation without one, the names of its members.',
    resolve: (channel, _, context) => channelName(context, channel),
  }),
  avatarFileId: t.exposeString('avatarFileId', { nullable: true, description: 'File id of the avatar.' }),
  type: t.expose('type', { type: ChannelType, description: 'Type of the channel.' }),
  notificationMode: t.expose('notificationMode', { type: NotificationMode, description: 'Push notification mode.' }),
  messagePreviewId: t.string({
    nullable: true,
    description:
      'Id of the newest message that is not deleted; null if the viewer cannot see the content of the channel.',
    resolve: (channel, _, context) => previewIdOf(context, channel),
  }),
  defaultMessageFeedId: t.exposeString('defaultMessageFeedId', {
    description: 'Id of the default message feed; the same as `internalId`.',
  }),
  isMuted: t.boolean({
    description: 'Whether the channel is currently muted: only moderators can send messages.',
    resolve: (channel, _, context) => isMutedNow(channel, context.hasPassed),
  }),
  muteTimeout: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'Time at which the mute ends; null if the channel is not muted, or is muted without end.',
    resolve: (channel, _, context) => (isMutedNow(channel, context.hasPassed) ? channel.muteTimeout : null),
  }),
  isRateLimited: t.boolean({
    description: 'Whether a rate limit of messages is currently in force.',
    resolve: (channel, _, context) => hasRateLimitNow(channel, context.hasPassed),
  }),
  rateLimit: t.exposeInt('rateLimit', { description: 'Number of messages that a member can send in one window.' }),
  rateLimitWindow: t.exposeInt('rateLimitWindow', { description: 'Length of the window in milliseconds.' }),
  rateLimitTimeout: t.expose('rateLimitTimeout', {
    type: 'DateTime',
    nullable: true,
    description: 'Time at which the rate limit ends.',
  }),
  messageAutoDeleteEnabled: t.exposeBoolean('messageAutoDeleteEnabled', {
    description: 'Whether a message is deleted once it has `autoDeleteMessageByFlagLimit` flags.',
  }),
  autoDeleteMessageByFlagLimit: t.exposeInt('autoDeleteMessageByFlagLimit', {
    description: 'Number of flags at which a message is deleted, if `messageAutoDeleteEnabled`.',
  }),
  isDistinct: t.exposeBoolean('isDistinct', {
    description: 'Whether the conversation is the only one of exactly its members.',
  }),
  isDeleted: t.exposeBoolean('isDeleted', { description: 'Whether the channel is deleted.' }),
  isPublic: t.exposeBoolean('isPublic', { description: 'Whether users who are not members can find and read it.' }),
  metadata: t.expose('metadata', { type: 'JSONObject', description: 'Free-form data of the application.' }),
  tags: t.exposeStringList('tags', { description: 'Tags.' }),
  memberCount: t.exposeInt('memberCount', { description: 'Number of members.' }),
  messageCount: t.exposeInt('messageCount', { description: 'Number of messages that are not deleted.' }),
  lastSegment: t.exposeInt('lastSegment', {
    description: 'Segment of the newest message in the default message feed, deleted or not; 0 for none.',
  }),
  attachedTo: t.expose('attachedTo', {
    type: ChannelAttachment,
    nullable: true,
    description: 'The record to which the channel belongs, for a live chat.',
  }),
  communityId: t.exposeString('communityId', {
    nullable: true,
    description: 'Public id of the community to which the channel belongs.',
  }),
  lastActivity: t.expose('lastActivity', {
    type: 'DateTime',
    description: 'Time of the latest activity in the channel.',
  }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Creation time.' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
  avatar: t.field({
    type: File,
    nullable: true,
    description: 'The avatar.',
    resolve: (channel, _, { load }) => (channel.avatarFileId ? load.files.load(channel.avatarFileId) : null),
  }),
  messagePreview: t.field({
    type: MessagePreview,
    nullable: true,
    description: 'The newest message that is not deleted.',
    resolve: (channel, _, context) => previewOf(context, channel),
  }),
  viewerMembership: t.field({
    type: ChannelUser,
    nullable: true,
    description: 'Membership of the viewer, including a past one or a ban; null if there never was one.',
    resolve: (channel, _, context) => context.load.channelUsers.load([channel.channelId, viewerOf(context).userId]),
  }),
  conversationMembers: t.field({
    type: [ChannelUser],
    description: 'All members of a conversation; empty for other channels.',
    resolve: (channel, _, context) => conversationMembers(context, channel),
  }),
}));

export const ChannelConnection = connectionType(Channel, 'channels');

const channelOf = { type: Channel, nullable: true } as const;
builder.objectField(ChannelUser, 'channel', (t) =>
  t.field({
    ...channelOf,
    description: 'The channel; null if the viewer cannot see it.',
    resolve: (member, _, context) => getChannel(context, { channelId: member.channelId }),
  }),
);
builder.objectField(MessageFeed, 'channel', (t) =>
  t.field({
    ...channelOf,
    description: 'The channel of the message feed.',
    resolve: (feed, _, { load }) => load.channels.load(feed.channelId),
  }),
);
builder.objectField(Message, 'channel', (t) =>
  t.field({
    ...channelOf,
    description: 'The channel of the message.',
    resolve: (message, _, { load }) => load.channels.load(message.channelId),
  }),
);
builder.objectField(Community, 'channel', (t) =>
  t.field({
    ...channelOf,
    description: 'Its chat channel; null if the viewer cannot see it.',
    resolve: (community, _, context) => getChannel(context, { channelId: community.channelId }),
  }),
);

builder.queryFields((t) => ({
  channel: t.field({
    type: Channel,
    nullable: true,
    description: 'A channel by its public or internal id.',
    args: {
      channelId: t.arg.string({ description: 'Public id of the channel.' }),
      internalId: t.arg.string({ description: 'Internal id of the channel, 24 hex digits.' }),
      eitherId: t.arg.string({
        description:
          'Public or internal id of the channel, for clients that have one of the two. The internal id takes precedence.',
      }),
    },
    resolve: (_, args, context) => getChannel(context, args),
  }),
  channelsByIds: t.field({
    type: [Channel],
    description:
      'Channels by their public ids, in the order of the ids. Channels that do not exist or that the viewer cannot see are omitted.',
    args: { channelIds: t.arg.stringList({ required: true, description: 'Public ids of channels, at most 10.' }) },
    resolve: (_, args, context) => getChannels(context, args),
  }),
  channels: t.field({
    type: [Channel],
    description:
      'Channels by their public ids, in the order of the ids. Channels that do not exist or that the viewer cannot see are omitted.',
    args: { channelIds: t.arg.stringList({ required: true, description: 'Public ids of channels, at most 10.' }) },
    deprecationReason: 'Use `channelsByIds`, which does the same under a name like those of the other lists.',
    resolve: (_, args, context) => getChannels(context, args),
  }),
}));
