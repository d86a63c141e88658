import { feedName } from '../../src/domain/channel/conversations/channel-name.ts';
import { filesOfMessage } from '../../src/domain/message/content/files-of-message.ts';
import type { MessageFeedRecord, MessageRecord } from '../../src/store/records/chat.ts';
import { builder } from '../builder.ts';
import { File } from '../file/file.ts';
import { loadAll } from '../shared/reactable.ts';
import { loadUser, User } from '../user/user.ts';

export const MessageFeedInfo = builder.objectRef<MessageFeedRecord>('MessageFeedInfo').implement({
  description: 'What a preview tells of the message feed it comes from.',
  fields: (t) => ({
    messageFeedId: t.exposeString('messageFeedId', { description: 'Id of the message feed.' }),
    name: t.string({
      description: 'Name of the message feed.',
      resolve: (feed, _, context) => feedName(context, feed),
    }),
    messagePreviewId: t.exposeString('messagePreviewId', {
      nullable: true,
      description: 'Id of its newest message that is not deleted.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the feed was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
});

export const MessagePreview = builder.objectRef<MessageRecord>('MessagePreview').implement({
  description: 'What a list of channels shows of a message.',
  fields: (t) => ({
    messageId: t.exposeString('messageId', { description: 'Id of the message.' }),
    channelId: t.exposeString('channelId', { description: 'Public id of the channel.' }),
    messageFeedId: t.exposeString('messageFeedId', { description: 'Id of the message feed.' }),
    userId: t.exposeString('userId', { description: 'Public id of the author.' }),
    parentId: t.exposeString('parentId', { nullable: true, description: 'The message it replies to.' }),
    segment: t.exposeInt('segment', { description: 'Position in the feed.' }),
    dataType: t.exposeString('dataType', { description: '`text`, `image`, `file`, `video`, `audio` or `custom`.' }),
    data: t.expose('data', { type: 'JSONObject', description: 'The content: `{text}` for text.' }),
    isDeleted: t.exposeBoolean('isDeleted', { description: 'Whether the message is deleted.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was sent.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
    author: t.field({
      type: User,
      nullable: true,
      description: 'Who sent it.',
      resolve: (message, _, context) => loadUser(context, message.userId),
    }),
    files: t.field({
      type: [File],
      description: 'Every file that its content names.',
      resolve: (message, _, { load }) => loadAll(load.files, filesOfMessage(message)),
    }),
    feed: t.field({
      type: MessageFeedInfo,
      nullable: true,
      description: 'The message feed it comes from.',
      resolve: (message, _, { load }) => load.messageFeeds.load(message.messageFeedId),
    }),
  }),
});
