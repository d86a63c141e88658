import { feedName } from '../../src/domain/channel/conversations/channel-name.ts';
import { filesOfMessage } from '../../src/domain/message/content/files-of-message.ts';
import type { MessageFeedRecord, MessageRecord } from '../../src/store/records/chat.ts';
import { builder } from '../builder.ts';
import { File } from '../file/file.ts';
import { loadAll } from '../shared/reactable.ts';
import { loadUser, User } from '../user/user.ts';
import { CONTENT, contentOf } from './message-content.ts';

export const MessageFeedInfo = builder.objectRef<MessageFeedRecord>('MessageFeedInfo').implement({
  description: 'The message feed of a message preview.',
  fields: (t) => ({
    messageFeedId: t.exposeString('messageFeedId', { description: 'Id of the message feed.' }),
    name: t.string({
      description: 'Display name of the message feed.',
      resolve: (feed, _, context) => feedName(context, feed),
    }),
    messagePreviewId: t.exposeString('messagePreviewId', {
      nullable: true,
      description: 'Id of its newest message that is not deleted.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Creation time of the feed.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
  }),
});

export const MessagePreview = builder.objectRef<MessageRecord>('MessagePreview').implement({
  description: 'A message as shown in a list of channels.',
  fields: (t) => ({
    messageId: t.exposeString('messageId', { description: 'Id of the message.' }),
    channelId: t.exposeString('channelId', { description: 'Public id of the channel.' }),
    messageFeedId: t.exposeString('messageFeedId', { description: 'Id of the message feed.' }),
    userId: t.exposeString('userId', { description: 'Public id of the author.' }),
    parentId: t.exposeString('parentId', { nullable: true, description: 'Id of the message to which it replies.' }),
    segment: t.exposeInt('segment', { description: 'Sequence number in the message feed.' }),
    dataType: t.exposeString('dataType', {
      description: 'Kind of content: `text`, `image`, `file`, `video`, `audio` or `custom`.',
    }),
    data: t.expose('data', {
      type: 'JSONObject',
      description:
        'Content: `{text}` for text; `{fileId, caption}` for an image, file, video or audio; any object for custom content.',
    }),
    content: t.field({ ...CONTENT, resolve: contentOf }),
    isDeleted: t.exposeBoolean('isDeleted', { description: 'Whether the message is deleted.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which it was sent.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
    author: t.field({
      type: User,
      nullable: true,
      description: 'Author.',
      resolve: (message, _, context) => loadUser(context, message.userId),
    }),
    files: t.field({
      type: [File],
      description: 'The files of its content.',
      resolve: (message, _, { load }) => loadAll(load.files, filesOfMessage(message)),
    }),
    feed: t.field({
      type: MessageFeedInfo,
      nullable: true,
      description: 'The message feed of the message.',
      resolve: (message, _, { load }) => load.messageFeeds.load(message.messageFeedId),
    }),
  }),
});
