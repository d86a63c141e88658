import { newName } from './made.ts';
import { firstFeedOf, newChannel, newMessage, newUser, newUsers, ofMarkers, ofMessage, userOf } from './people-made.ts';
import type { EventRow, World } from './row.ts';

/** A message in a channel with somebody who reads it. */
async function newTold(world: World, fields = {}) {
  const user = await newUser(world);
  const channel = await newChannel(world, { members: [user], fields });
  return { user, channel, message: await newMessage(world, channel) };
}

const nothing = 'clientMutationId';

export const MESSAGE_ROWS: EventRow[] = [
  {
    operation: 'sendMessage',
    situation: 'that answers one and mentions everybody: one event however many read it, and that its author did',
    async prepare(world) {
      const { channel, message } = await newTold(world);
      const [author, feed] = [await userOf(world.gateway, 'alice'), await firstFeedOf(world, channel)];
      const mentionedUsers = [{ type: 'CHANNEL' }];
      return {
        input: { channelId: channel.channelId, data: { text: 'Yes' }, parentId: message.messageId, mentionedUsers },
        select: 'chatMessage { messageId path }',
        events: ({ chatMessage }) => [ofMessage('message.created', chatMessage), ofMarkers(author, feed)],
      };
    },
  },
  {
    operation: 'sendMessage',
    situation: 'once more under the same name, which makes no second one',
    async prepare(world) {
      const { channelId } = await newChannel(world);
      const input = { channelId, data: { text: 'Once' }, clientMutationId: newName('message') };
      await world.make('alice', 'sendMessage', input, nothing);
      return { input };
    },
  },
  {
    operation: 'sendMessage',
    situation: 'beyond the limit of the channel, which the transaction finds out',
    async prepare(world) {
      const { user, channel } = await newTold(world);
      const { channelId } = channel;
      await world.make('alice', 'setChannelRateLimit', { channelId, rateLimit: 1 }, nothing);
      const input = { channelId, data: { text: 'Once' } };
      await world.make(user.userId, 'sendMessage', input, nothing);
      return { as: user.userId, input, code: 'RATE_LIMITED' };
    },
  },
  {
    operation: 'updateMessage',
    situation: 'what it says',
    async prepare(world) {
      const { message } = await newTold(world);
      const input = { messageId: message.messageId, data: { text: 'Rather so' } };
      return { input, events: [ofMessage('message.updated', message)] };
    },
  },
  {
    operation: 'updateMessage',
    situation: 'of somebody else without the right',
    async prepare(world) {
      const { user, message } = await newTold(world);
      const input = { messageId: message.messageId, data: { text: 'Mine' } };
      return { as: user.userId, input, code: 'PERMISSION_DENIED' };
    },
  },
  {
    operation: 'deleteMessage',
    situation: 'by its author',
    async prepare(world) {
      const { message } = await newTold(world);
      return { input: { messageId: message.messageId }, events: [ofMessage('message.deleted', message)] };
    },
  },
  {
    operation: 'deleteMessage',
    situation: 'that is deleted',
    async prepare(world) {
      const { messageId } = (await newTold(world)).message;
      await world.make('alice', 'deleteMessage', { messageId }, nothing);
      return { input: { messageId }, code: 'NOT_FOUND' };
    },
  },
  {
    operation: 'flagMessage',
    situation: 'for the first time',
    async prepare(world) {
      const { user, message } = await newTold(world);
      const input = { messageId: message.messageId };
      return { as: user.userId, input, events: [ofMessage('message.flagged', message)] };
    },
  },
  {
    operation: 'flagMessage',
    situation: 'once more: only its reason changes',
    async prepare(world) {
      const { user, message } = await newTold(world);
      const input = { messageId: message.messageId };
      await world.make(user.userId, 'flagMessage', input, nothing);
      return { as: user.userId, input: { ...input, reason: 'OTHERS' } };
    },
  },
  {
    operation: 'flagMessage',
    situation: 'for the time that reaches the limit of the channel: it is deleted as by a person',
    async prepare(world) {
      const [first, second] = await newUsers(world, 2);
      const fields = { messageAutoDeleteEnabled: true, autoDeleteMessageByFlagLimit: 2 };
      const message = await newMessage(world, await newChannel(world, { members: [first!, second!], fields }));
      const input = { messageId: message.messageId };
      await world.make(first!.userId, 'flagMessage', input, nothing);
      const events = [ofMessage('message.flagged', message), ofMessage('message.deleted', message)];
      return { as: second!.userId, input, events };
    },
  },
  {
    operation: 'unflagMessage',
    situation: 'a flag that is there',
    async prepare(world) {
      const { user, message } = await newTold(world);
      const input = { messageId: message.messageId };
      await world.make(user.userId, 'flagMessage', input, nothing);
      return { as: user.userId, input, events: [ofMessage('message.unflagged', message)] };
    },
  },
  {
    operation: 'unflagMessage',
    situation: 'without a flag',
    prepare: async (world) => ({ input: { messageId: (await newTold(world)).message.messageId } }),
  },
  {
    operation: 'clearMessageFlags',
    situation: 'that somebody flagged',
    async prepare(world) {
      const { user, message } = await newTold(world);
      const input = { messageId: message.messageId };
      await world.make(user.userId, 'flagMessage', input, nothing);
      return { input, events: [ofMessage('message.flagCleared', message)] };
    },
  },
  {
    operation: 'clearMessageFlags',
    situation: 'that nobody flagged',
    prepare: async (world) => ({ input: { messageId: (await newTold(world)).message.messageId } }),
  },
];
