import assert from 'node:assert/strict';
import type { Area } from '../application.ts';
import { waitFor } from '../live.ts';
import type { Json } from '../rest-user.ts';

/** Counts of unread messages, which the clients compute from markers and from the member's own record. */
export const unread: Area = {
  name: 'unread',
  async run({ sdk, step, display, userId, second, version }) {
    const { ChannelRepository, Client } = sdk;
    const channel = await second.createChannel({ displayName: 'Signals', userIds: [userId] });
    const feed = await second.firstFeed(channel);
    const send = (text: string, fields = {}) => second.sendMessage(feed.messageFeedId, text, fields);
    for (const text of ['one', 'two', 'three']) await send(text);
    const shown = () => display((callback) => ChannelRepository.getChannel(channel.channelId, callback));
    await step('displays the number of unread messages of a channel', async () => {
      await shown().until('three unread messages were expected', (data) => data.unreadCount === 3);
    });
    await step('displays a message that arrives as unread', async () => {
      const live = shown();
      const { unreadCount } = await live.loaded();
      await send('four');
      await live.until('one more unread message was expected', (data) => data.unreadCount === unreadCount + 1);
    });
    await step('displays that it is mentioned', async () => {
      await send('@Ann', { mentionedUsers: [{ type: 'user', userIds: [userId] }] });
      await shown().until('a mention was expected', (data) => data.isMentioned ?? data.hasMentioned);
    });
    await step('counts the unread messages of all channels', async () => {
      const read = version >= 700 ? ChannelRepository.getTotalChannelsUnread : Client.getUserUnread;
      const live = display((callback) => read(callback));
      await live.until('unread messages were expected', (data) => data.unreadCount >= 5);
    });
    await step('displays no unread message after reading', async () => {
      const { messages } = await second.call('/api/v5/messages', {
        query: { messageFeedId: feed.messageFeedId, 'options[limit]': 1 },
      });
      const live = display((callback) => sdk.MessageRepository.getMessage(messages[0].messageId, callback));
      const message = await live.loaded();
      if (message.markRead) message.markRead();
      else await ChannelRepository.markAsRead(channel.channelId);
      await shown().until('no unread message was expected', (data) => data.unreadCount === 0);
    });
    await step('does not count its own messages', async () => {
      const bundle = { subChannelId: feed.messageFeedId, dataType: 'text', data: { text: 'mine' } };
      await sdk.MessageRepository.createMessage(bundle);
      await waitFor(async () => {
        const { channels } = await second.call(`/api/v3/channels/${channel.channelId}`);
        return channels[0].messageCount === 6;
      }, 'six messages were expected');
      await shown().until('no unread message was expected', (data) => data.unreadCount === 0);
    });
    await step('reads the markers of messages', async () => {
      const { messages } = await second.call('/api/v5/messages', { query: { messageFeedId: feed.messageFeedId } });
      const { data } = await sdk.getMessageMarkers(messages.map((message: Json) => message.messageId));
      assert.equal(data.length, messages.length);
    }, ['getMessageMarkers']);
    await step('reads its own marker', async () => assert.ok((await sdk.getUserMarker()).data), ['getUserMarker']);
    await step('synchronizes markers', async () => {
      const { data } = await Client.markerSync(new Date(Date.now() - 60_000).toISOString());
      assert.ok(data.userFeedMarkers.length >= 1, 'no marker');
    });
  },
};
