import { canDeleteChannel, canEditChannel, canModerateMessages } from '../../src/access/channel.ts';
import { canDeleteMessage, canEditFeeds, refusalToEdit, refusalToSend } from '../../src/access/message.ts';
import { type Context, viewerOf } from '../../src/context.ts';
import { isMessageFlagged } from '../../src/domain/message/moderation/flag-message.ts';
import type { MessageRecord } from '../../src/store/records/chat.ts';
import { builder } from '../builder.ts';
import { Channel } from '../channel/channel.ts';
import { MessageFeed } from '../message-feed/message-feed.ts';
import { Message } from './message.ts';

/** A channel with the viewer's membership. Both are loaded once for all messages of a page. */
async function placeOf(context: Context, channelId: string) {
  const [channel, membership] = await Promise.all([
    context.load.channels.load(channelId),
    context.load.channelUsers.load([channelId, viewerOf(context).userId]),
  ]);
  return channel && { channel, membership };
}

/** As {@link placeOf}; null if the message or its feed is deleted. */
async function placeOfLive(context: Context, { channelId, messageFeedId, isDeleted }: MessageRecord) {
  const [place, feed] = await Promise.all([
    placeOf(context, channelId),
    isDeleted ? null : context.load.messageFeeds.load(messageFeedId),
  ]);
  return feed && !feed.isDeleted ? place : null;
}

builder.objectFields(Message, (t) => ({
  viewerCanEdit: t.boolean({
    description: 'Whether the viewer can edit it.',
    resolve: async (message, _, context) => {
      const place = await placeOfLive(context, message);
      if (!place) return false;
      return refusalToEdit(viewerOf(context), message, place, context.hasPassed) === null;
    },
  }),
  viewerCanDelete: t.boolean({
    description: 'Whether the viewer can delete it.',
    resolve: async (message, _, context) => {
      const place = await placeOfLive(context, message);
      return place !== null && canDeleteMessage(viewerOf(context), message, place);
    },
  }),
  viewerCanClearFlags: t.boolean({
    description: 'Whether the viewer can clear its flags.',
    resolve: async (message, _, context) => {
      const place = await placeOf(context, message.channelId);
      return place !== null && canModerateMessages(viewerOf(context), place.membership);
    },
  }),
}));

builder.objectFields(Channel, (t) => ({
  viewerCanSend: t.boolean({
    description: 'Whether the viewer can currently send messages, apart from rate limits.',
    resolve: async (channel, _, context) => {
      const place = await placeOf(context, channel.channelId);
      return (
        place !== null && !channel.isDeleted && refusalToSend(viewerOf(context), place, context.hasPassed) === null
      );
    },
  }),
  viewerCanEdit: t.boolean({
    description: 'Whether the viewer can update the channel.',
    resolve: async (channel, _, context) => {
      const place = await placeOf(context, channel.channelId);
      return place !== null && canEditChannel(viewerOf(context), channel, place.membership) && !channel.isDeleted;
    },
  }),
  viewerCanDelete: t.boolean({
    description:
      'Whether the viewer can delete the channel. The channel of a community is deleted with the community only.',
    resolve: async (channel, _, context) => {
      const place = await placeOf(context, channel.channelId);
      if (place === null || channel.isDeleted || channel.communityId !== null) return false;
      return canDeleteChannel(viewerOf(context), place.membership);
    },
  }),
  viewerCanModerate: t.boolean({
    description: 'Whether the viewer can delete messages of other users.',
    resolve: async (channel, _, context) => {
      const place = await placeOf(context, channel.channelId);
      return place !== null && canModerateMessages(viewerOf(context), place.membership);
    },
  }),
}));

builder.objectFields(MessageFeed, (t) => ({
  viewerCanEdit: t.boolean({
    description: 'Whether the viewer can rename it.',
    resolve: async (feed, _, context) => {
      const place = await placeOf(context, feed.channelId);
      return place !== null && !feed.isDeleted && canEditFeeds(viewerOf(context), place);
    },
  }),
  viewerCanDelete: t.boolean({
    description: 'Whether the viewer can delete it.',
    resolve: async (feed, _, context) => {
      const place = await placeOf(context, feed.channelId);
      return place !== null && !feed.isDeleted && !feed.isDefault && canEditFeeds(viewerOf(context), place);
    },
  }),
}));

builder.queryField('isMessageFlagged', (t) =>
  t.boolean({
    description: 'Whether the viewer has flagged a message.',
    args: { messageId: t.arg.string({ required: true, description: 'Id of the message.' }) },
    resolve: (_, args, context) => isMessageFlagged(context, args),
  }),
);
