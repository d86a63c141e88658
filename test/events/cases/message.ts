import { uniqueName } from './content-fixtures.ts';
import type { CaseContext, EventCase } from './event-case.ts';
import {
  createChannel,
  createMessage,
  createUser,
  createUsers,
  feedMarkerEvent,
  firstFeedOf,
  markersEvent,
  messageEvent,
  userOf,
} from './people-fixtures.ts';

/** A message in a channel with a second member. */
async function createMessageWithReader(context: CaseContext, fields = {}) {
  const user = await createUser(context);
  const channel = await createChannel(context, { members: [user], fields });
  return { user, channel, message: await createMessage(context, channel) };
}

const MUTATION_ID = 'clientMutationId';

export const MESSAGE_CASES: EventCase[] = [
  {
    operation: 'sendMessage',
    situation:
      'a reply that mentions the channel: one event for all members, the read position of its author, and the new segment',
    async prepare(context) {
      const { channel, message } = await createMessageWithReader(context);
      const [author, feed] = [await userOf(context.gateway, 'alice'), await firstFeedOf(context, channel)];
      const mentionedUsers = [{ type: 'CHANNEL' }];
      return {
        input: { channelId: channel.channelId, data: { text: 'Yes' }, parentId: message.messageId, mentionedUsers },
        select: 'chatMessage { messageId path }',
        events: async ({ chatMessage }) => [
          messageEvent('message.created', chatMessage),
          markersEvent(author, feed),
          await feedMarkerEvent('marker.feed-updated', context, { ...feed, segment: 2 }),
        ],
      };
    },
  },
  {
    operation: 'sendMessage',
    situation: 'again with the same clientMutationId',
    async prepare(context) {
      const { channelId } = await createChannel(context);
      const input = { channelId, data: { text: 'Once' }, clientMutationId: uniqueName('message') };
      await context.mutate('alice', 'sendMessage', input, MUTATION_ID);
      return { input };
    },
  },
  {
    operation: 'sendMessage',
    situation: 'above the rate limit of the channel: fails in the transaction',
    async prepare(context) {
      const { user, channel } = await createMessageWithReader(context);
      const { channelId } = channel;
      await context.mutate('alice', 'setChannelRateLimit', { channelId, rateLimit: 1 }, MUTATION_ID);
      const input = { channelId, data: { text: 'Once' } };
      await context.mutate(user.userId, 'sendMessage', input, MUTATION_ID);
      return { as: user.userId, input, code: 'RATE_LIMITED' };
    },
  },
  {
    operation: 'updateMessage',
    situation: 'its text',
    async prepare(context) {
      const { message } = await createMessageWithReader(context);
      const input = { messageId: message.messageId, data: { text: 'Rather so' } };
      return { input, events: [messageEvent('message.updated', message)] };
    },
  },
  {
    operation: 'updateMessage',
    situation: 'of another user, without permission',
    async prepare(context) {
      const { user, message } = await createMessageWithReader(context);
      const input = { messageId: message.messageId, data: { text: 'Mine' } };
      return { as: user.userId, input, code: 'PERMISSION_DENIED' };
    },
  },
  {
    operation: 'deleteMessage',
    situation: 'by its author',
    async prepare(context) {
      const { message } = await createMessageWithReader(context);
      return { input: { messageId: message.messageId }, events: [messageEvent('message.deleted', message)] };
    },
  },
  {
    operation: 'deleteMessage',
    situation: 'a deleted message',
    async prepare(context) {
      const { messageId } = (await createMessageWithReader(context)).message;
      await context.mutate('alice', 'deleteMessage', { messageId }, MUTATION_ID);
      return { input: { messageId }, code: 'NOT_FOUND' };
    },
  },
  {
    operation: 'flagMessage',
    situation: 'for the first time',
    async prepare(context) {
      const { user, message } = await createMessageWithReader(context);
      const input = { messageId: message.messageId };
      return { as: user.userId, input, events: [messageEvent('message.flagged', message)] };
    },
  },
  {
    operation: 'flagMessage',
    situation: 'again: only the reason changes',
    async prepare(context) {
      const { user, message } = await createMessageWithReader(context);
      const input = { messageId: message.messageId };
      await context.mutate(user.userId, 'flagMessage', input, MUTATION_ID);
      return { as: user.userId, input: { ...input, reason: 'OTHERS' } };
    },
  },
  {
    operation: 'flagMessage',
    situation: 'reaching the limit of the channel: the message is deleted',
    async prepare(context) {
      const [first, second] = await createUsers(context, 2);
      const fields = { messageAutoDeleteEnabled: true, autoDeleteMessageByFlagLimit: 2 };
      const message = await createMessage(
        context,
        await createChannel(context, { members: [first!, second!], fields }),
      );
      const input = { messageId: message.messageId };
      await context.mutate(first!.userId, 'flagMessage', input, MUTATION_ID);
      const events = [messageEvent('message.flagged', message), messageEvent('message.deleted', message)];
      return { as: second!.userId, input, events };
    },
  },
  {
    operation: 'unflagMessage',
    situation: 'an existing flag',
    async prepare(context) {
      const { user, message } = await createMessageWithReader(context);
      const input = { messageId: message.messageId };
      await context.mutate(user.userId, 'flagMessage', input, MUTATION_ID);
      return { as: user.userId, input, events: [messageEvent('message.unflagged', message)] };
    },
  },
  {
    operation: 'unflagMessage',
    situation: 'without a flag',
    prepare: async (context) => ({ input: { messageId: (await createMessageWithReader(context)).message.messageId } }),
  },
  {
    operation: 'clearMessageFlags',
    situation: 'of a flagged message',
    async prepare(context) {
      const { user, message } = await createMessageWithReader(context);
      const input = { messageId: message.messageId };
      await context.mutate(user.userId, 'flagMessage', input, MUTATION_ID);
      return { input, events: [messageEvent('message.flagCleared', message)] };
    },
  },
  {
    operation: 'clearMessageFlags',
    situation: 'of a message without flags',
    prepare: async (context) => ({ input: { messageId: (await createMessageWithReader(context)).message.messageId } }),
  },
];
