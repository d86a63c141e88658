import { reactionCounts } from '../../src/domain/engagement/reaction-names.ts';
import { filesOfMessage } from '../../src/domain/message/content/files-of-message.ts';
import { getMessage, getMessages, linkedMessage } from '../../src/domain/message/get-message.ts';
import { listReplies, type MESSAGE_SORTS } from '../../src/domain/message/list-messages.ts';
import { hashFlagOfMessage } from '../../src/domain/message/moderation/hash-flag-of-message.ts';
import { DELETED_USER_NAME } from '../../src/store/records/anonymous-profile.ts';
import type { LatestReaction, MessageRecord } from '../../src/store/records/chat.ts';
import { builder } from '../builder.ts';
import { File } from '../file/file.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { connectionType } from '../shared/connection-type.ts';
import { nodeType } from '../shared/node.ts';
import { ofRecord, ofRecordIf } from '../shared/of-record.ts';
import { HASH_FLAG, HashFlagType, loadAll, MentioneeType, myReactions } from '../shared/reactable.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { loadUser, User } from '../user/user.ts';
import { CONTENT, contentOf } from './message-content.ts';

export const Message = nodeType<MessageRecord>('Message', {
  description: 'A message in a message feed.',
  id: 'messageId',
  load: (context, messageId) => getMessage(context, { messageId }),
});

export const ChannelType = restEnum(
  'ChannelType',
  'Type of a channel; determines who can find, read and write in it.',
  {
    standard: 'Group channel. Users who are not members can find and read it, unless `isPublic` is false.',
    private: 'Group channel that only its members can find and read.',
    conversation:
      'Conversation of a fixed set of members, without moderators. Each member can rename it; nobody else can see it.',
    broadcast: 'Announcement channel: members read, moderators write.',
    community: 'Chat of a community, with the same members, or a channel created with this type.',
    live: 'Chat of a video stream or room, or a channel created with this type.',
  },
);
export const MessageSort = restEnum<(typeof MESSAGE_SORTS)[number]>(
  'MessageSort',
  'Sort order of messages by segment, the sequence number in the message feed.',
  {
    segmentDesc: 'Newest first. Default.',
    segmentAsc: 'Oldest first.',
  },
);

const LatestReactionType = builder.objectRef<LatestReaction>('LatestReaction').implement({
  description: 'The latest change of the reactions on a message.',
  fields: (t) => ({
    referenceId: t.exposeString('referenceId', { description: 'Id of the message.' }),
    referenceType: t.exposeString('referenceType', { description: 'Always `message`.' }),
    reactionName: t.exposeString('reactionName', { description: 'Name of the reaction.' }),
    userId: t.exposeString('userId', { description: 'Public id of the user who reacted.' }),
    userDisplayName: t.string({
      description: 'Display name of the user at that time; empty if the account was deleted.',
      resolve: async ({ userId, userDisplayName }, _, { load }) =>
        (await load.users.load(userId))?.isDeleted ? DELETED_USER_NAME : userDisplayName,
    }),
    reactionId: t.exposeString('reactionId', { description: 'Id of the reaction.' }),
    eventName: t.exposeString('eventName', { description: 'Change: `add` or `remove`.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of the change.' }),
  }),
});

builder.objectFields(Message, (t) => ({
  messageId: t.exposeString('messageId', { description: 'Public id.' }),
  internalId: t.string({
    ...ofRecord,
    description: 'Internal id, 24 hex digits; the same as `messageId`.',
    resolve: (message) => message._id.toHexString(),
  }),
  networkId: t.exposeString('networkId', { description: 'Id of the network.' }),
  path: t.exposeString('path', { description: 'Path of the message, for subscriptions to its events.' }),
  channelId: t.exposeString('channelId', { description: 'Public id of the channel.' }),
  channelInternalId: t.exposeString('channelInternalId', { description: 'Internal id of the channel.' }),
  channelType: t.expose('channelType', { type: ChannelType, description: 'Type of the channel.' }),
  messageFeedId: t.exposeString('messageFeedId', { description: 'Id of the message feed.' }),
  userId: t.exposeString('userId', { description: 'Public id of the author.' }),
  userInternalId: t.exposeString('userInternalId', { description: 'Internal id of the author.' }),
  parentId: t.exposeString('parentId', { nullable: true, description: 'Id of the message to which it replies.' }),
  segment: t.exposeInt('segment', { description: 'Sequence number in the message feed: 1, 2, 3 …' }),
  dataType: t.exposeString('dataType', {
    description: 'Kind of content: `text`, `image`, `file`, `video`, `audio` or `custom`.',
  }),
  data: t.expose('data', {
    type: 'JSONObject',
    description:
      'Content: `{text}` for text; `{fileId, caption}` for an image, file, video or audio; any object for custom content.',
  }),
  content: t.field({ ...CONTENT, resolve: contentOf }),
  fileId: t.exposeString('fileId', { nullable: true, description: 'File id of an image, file, video or audio.' }),
  thumbnailFileId: t.exposeString('thumbnailFileId', {
    nullable: true,
    description: 'File id of the thumbnail of an image or video.',
  }),
  metadata: t.expose('metadata', { type: 'JSONObject', description: 'Free-form data of the application.' }),
  tags: t.exposeStringList('tags', { description: 'Tags.' }),
  mentions: t.expose('mentionedUsers', { type: [MentioneeType], description: 'Mentions.' }),
  reactionCount: t.exposeInt('reactionCount', { description: 'Number of reactions.' }),
  reactions: t.field({
    type: 'JSONObject',
    description: 'Number of reactions by name.',
    ...ofRecord,
    resolve: ({ reactions }) => reactionCounts(reactions),
  }),
  myReactions: t.stringList({
    description: 'Names of the reactions of the viewer.',
    ...ofRecordIf<MessageRecord>(({ reactionCount }) => reactionCount === 0),
    resolve: (message, _, context) => myReactions(context, 'message', message.messageId, message.reactionCount),
  }),
  latestReaction: t.expose('latestReaction', {
    type: LatestReactionType,
    nullable: true,
    description: 'The latest change of its reactions.',
  }),
  flagCount: t.exposeInt('flagCount', { description: 'Number of flags.' }),
  hashFlag: t.field({
    type: HashFlagType,
    nullable: true,
    description: HASH_FLAG,
    ...ofRecordIf<MessageRecord>(({ hashFlag }) => hashFlag === null),
    resolve: (message, _, context) => hashFlagOfMessage(context, message),
  }),
  childCount: t.exposeInt('childCount', { description: 'Number of replies that are not deleted.' }),
  referenceId: t.exposeString('referenceId', {
    nullable: true,
    description: 'Id chosen by the client when it sent the message.',
  }),
  isDeleted: t.exposeBoolean('isDeleted', {
    description: 'Whether it is deleted. The content of a deleted record is visible to moderators only.',
  }),
  editedAt: t.expose('editedAt', {
    type: 'DateTime',
    nullable: true,
    description: 'Time of the last edit of the content; null if it was never edited.',
  }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which it was sent.' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
  author: t.field({
    type: User,
    nullable: true,
    description: 'Author.',
    resolve: (message, _, context) => loadUser(context, message.userId),
  }),
  mentionedUsers: t.field({
    type: [User],
    description: 'The mentioned users.',
    resolve: (message, _, { load }) =>
      loadAll(
        load.users,
        message.mentionedUsers.flatMap((mention) => mention.userIds),
      ),
  }),
  latestReactor: t.field({
    type: User,
    nullable: true,
    description: 'The user who reacted last.',
    resolve: (message, _, context) => loadUser(context, message.latestReaction?.userId ?? null),
  }),
  files: t.field({
    type: [File],
    description: 'The files of the message.',
    ...ofRecordIf<MessageRecord>((message) => filesOfMessage(message).length === 0),
    resolve: (message, _, { load }) => loadAll(load.files, filesOfMessage(message)),
  }),
  parent: t.field({
    type: Message,
    nullable: true,
    description: 'The message to which it replies.',
    resolve: (message, _, context) => linkedMessage(context, message.parentId),
  }),
}));

export const MessageConnection = connectionType(Message, 'messages');

/** Arguments of the lists of messages of a feed, besides those of pages. */
export const messageListArgs = builder.args((t) => ({
  parentId: t.string({ description: 'Only replies to the message with this id.' }),
  dataType: t.string({ description: 'Only messages with this kind of content.' }),
  tags: t.stringList({ description: 'Only messages with at least one of these tags, at most 20.' }),
  excludedTags: t.stringList({ description: 'Only messages with none of these tags, at most 20.' }),
  isDeleted: t.boolean({
    description: 'Whether to list deleted records (true) or existing ones (false). Default: both.',
  }),
  around: t.string({
    description: 'Id of a message that is in the middle of the page. Can be combined with `first` only.',
  }),
  sortBy: t.field({ type: MessageSort, description: 'Sort order; newest first by default.' }),
}));

builder.objectField(Message, 'replies', (t) =>
  t.connection(
    {
      type: Message,
      description: 'Replies, oldest first.',
      resolve: async (message, args, context) =>
        toConnection(await listReplies(context, message, { request: pageRequest(args) })),
    },
    MessageConnection,
  ),
);

builder.queryFields((t) => ({
  message: t.field({
    type: Message,
    nullable: true,
    description: 'A message by its id.',
    args: { messageId: t.arg.string({ required: true, description: 'Id of the message.' }) },
    resolve: (_, args, context) => getMessage(context, args),
  }),
  messagesByIds: t.field({
    type: [Message],
    description:
      'Messages by their ids, in the order of the ids. Messages that do not exist or that the viewer cannot see are omitted.',
    args: { messageIds: t.arg.stringList({ required: true, description: 'Ids of messages, at most 100.' }) },
    resolve: (_, args, context) => getMessages(context, args),
  }),
  messages: t.field({
    type: [Message],
    description:
      'Messages by their ids, in the order of the ids. Messages that do not exist or that the viewer cannot see are omitted.',
    args: { messageIds: t.arg.stringList({ required: true, description: 'Ids of messages, at most 100.' }) },
    deprecationReason: 'Use `messagesByIds`, which does the same under a name like those of the other lists.',
    resolve: (_, args, context) => getMessages(context, args),
  }),
}));
