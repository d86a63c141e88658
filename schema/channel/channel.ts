import { isMutedNow } from '../../src/access/channel.ts';
import { viewerOf } from '../../src/context.ts';
import { channelName } from '../../src/domain/channel/conversations/channel-name.ts';
import { getChannel, getChannels } from '../../src/domain/channel/get-channel.ts';
import { conversationMembers } from '../../src/domain/channel/members/get-channel-user.ts';
import { holdsRateLimit } from '../../src/domain/channel/moderation/is-rate-limited.ts';
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
import { ChannelUser } from './channel-user.ts';

export const Channel = nodeType<ChannelRecord>('Channel', {
  description: 'A place to chat, with members and message feeds.',
  id: (channel) => channel.channelId,
  load: (context, channelId) => getChannel(context, { channelId }),
});

const ChannelAttachment = builder.objectRef<NonNullable<ChannelRecord['attachedTo']>>('ChannelAttachment').implement({
  description: 'What a live channel is the chat of.',
  fields: (t) => ({
    postId: t.exposeString('postId', { nullable: true, description: 'Public id of the post.' }),
    videoStreamId: t.exposeString('videoStreamId', { nullable: true, description: 'Public id of the live stream.' }),
    roomId: t.exposeString('roomId', { nullable: true, description: 'Public id of the room.' }),
  }),
});

builder.objectFields(Channel, (t) => ({
  channelId: t.exposeString('channelId', { description: 'Public id.' }),
  internalId: t.string({ description: 'Internal id, 24 hex digits.', resolve: (channel) => channel._id.toHexString() }),
  path: t.exposeString('path', { description: 'Topic of the channel.' }),
  displayName: t.string({
    description: 'Name to show. A conversation without a chosen name is named after its members.',
    resolve: (channel, _, context) => channelName(context, channel),
  }),
  avatarFileId: t.exposeString('avatarFileId', { nullable: true, description: 'File id of the picture.' }),
  type: t.expose('type', { type: ChannelType, description: 'What it is for.' }),
  notificationMode: t.expose('notificationMode', { type: NotificationMode, description: 'Who is told of news.' }),
  messagePreviewId: t.string({
    nullable: true,
    description: 'Id of the newest message that is not deleted; null for those who do not see inside.',
    resolve: (channel, _, context) => previewIdOf(context, channel),
  }),
  defaultMessageFeedId: t.exposeString('defaultMessageFeedId', {
    description: 'Id of the message feed it began with.',
  }),
  isMuted: t.boolean({
    description: 'Whether only moderators may write at present.',
    resolve: (channel, _, context) => isMutedNow(channel, context.now()),
  }),
  muteTimeout: t.expose('muteTimeout', {
    type: 'DateTime',
    nullable: true,
    description: 'When the mute ends; null for none, or for good.',
  }),
  isRateLimited: t.boolean({
    description: 'Whether messages are limited at present.',
    resolve: (channel, _, context) => holdsRateLimit(channel, context.now()),
  }),
  rateLimit: t.exposeInt('rateLimit', { description: 'How many messages a member may send in one window.' }),
  rateLimitWindow: t.exposeInt('rateLimitWindow', { description: 'Length of the window in milliseconds.' }),
  rateLimitTimeout: t.expose('rateLimitTimeout', {
    type: 'DateTime',
    nullable: true,
    description: 'When the limit ends.',
  }),
  messageAutoDeleteEnabled: t.exposeBoolean('messageAutoDeleteEnabled', {
    description: 'Whether flags delete messages.',
  }),
  autoDeleteMessageByFlagLimit: t.exposeInt('autoDeleteMessageByFlagLimit', {
    description: 'How many flags delete a message.',
  }),
  isDistinct: t.exposeBoolean('isDistinct', { description: 'Whether it is the only conversation of its members.' }),
  isDeleted: t.exposeBoolean('isDeleted', { description: 'Whether the channel is deleted.' }),
  isPublic: t.exposeBoolean('isPublic', { description: 'Whether others than members may find and read it.' }),
  metadata: t.expose('metadata', { type: 'JSONObject', description: 'Free-form data of the application.' }),
  tags: t.exposeStringList('tags', { description: 'Tags.' }),
  memberCount: t.exposeInt('memberCount', { description: 'How many members it has.' }),
  messageCount: t.exposeInt('messageCount', { description: 'How many messages it holds that are not deleted.' }),
  attachedTo: t.expose('attachedTo', {
    type: ChannelAttachment,
    nullable: true,
    description: 'What it is the chat of.',
  }),
  communityId: t.exposeString('communityId', {
    nullable: true,
    description: 'Public id of the community whose chat it is.',
  }),
  lastActivity: t.expose('lastActivity', { type: 'DateTime', description: 'When something last happened there.' }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  avatar: t.field({
    type: File,
    nullable: true,
    description: 'The picture.',
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
    description: "The viewer's own membership, also a past one or a ban; null when there never was one.",
    resolve: (channel, _, context) => context.load.channelUsers.load([channel.channelId, viewerOf(context).userId]),
  }),
  conversationMembers: t.field({
    type: [ChannelUser],
    description: 'Everybody in a conversation; empty for other channels.',
    resolve: (channel, _, context) => conversationMembers(context, channel),
  }),
}));

export const ChannelConnection = connectionType(Channel, 'channels');

const channelOf = { type: Channel, nullable: true } as const;
builder.objectField(ChannelUser, 'channel', (t) =>
  t.field({
    ...channelOf,
    description: 'The channel, for those who see it.',
    resolve: (member, _, context) => getChannel(context, { channelId: member.channelId }),
  }),
);
builder.objectField(MessageFeed, 'channel', (t) =>
  t.field({
    ...channelOf,
    description: 'The channel it stands in.',
    resolve: (feed, _, { load }) => load.channels.load(feed.channelId),
  }),
);
builder.objectField(Message, 'channel', (t) =>
  t.field({
    ...channelOf,
    description: 'The channel it stands in.',
    resolve: (message, _, { load }) => load.channels.load(message.channelId),
  }),
);
builder.objectField(Community, 'channel', (t) =>
  t.field({
    ...channelOf,
    description: 'Its chat, for those who see it.',
    resolve: (community, _, context) => getChannel(context, { channelId: community.channelId }),
  }),
);

builder.queryFields((t) => ({
  channel: t.field({
    type: Channel,
    nullable: true,
    description: 'One channel by one of its ids.',
    args: {
      channelId: t.arg.string({ description: 'Public id.' }),
      internalId: t.arg.string({ description: 'Internal id, 24 hex digits.' }),
    },
    resolve: (_, args, context) => getChannel(context, args),
  }),
  channels: t.field({
    type: [Channel],
    description: 'Channels by public ids, in the order asked, without those that are absent or not to be seen.',
    args: { channelIds: t.arg.stringList({ required: true, description: 'Public ids, at most 10.' }) },
    resolve: (_, args, context) => getChannels(context, args),
  }),
}));
