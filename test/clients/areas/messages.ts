import assert from 'node:assert/strict';
import type { Area } from '../application.ts';
import { waitFor } from '../live.ts';
import { image } from '../media.ts';
import type { Json } from '../rest-user.ts';

const ids = (messages: Json[]) => messages.map(({ messageId }) => messageId);

export const messages: Area = {
  name: 'messages',
  async run({ sdk, step, display, userId, second, version, subscribe }) {
    const { MessageRepository, ChannelRepository } = sdk;
    const { data: channel } = await ChannelRepository.createChannel({
      type: 'community',
      displayName: 'Radio',
      userIds: [second.userId],
    });
    const subChannelId = channel.defaultSubChannelId;
    const feed = await second.firstFeed(await second.call(`/api/v3/channels/${channel.channelId}`).then(firstChannel));
    const send = (text: string, fields = {}) => second.sendMessage(feed.messageFeedId, text, fields);
    const theirs = await send('Mayday');
    let own: Json;
    await step('sends a text', async () => {
      const data = { text: 'Roger' };
      ({ data: own } = await MessageRepository.createMessage({ subChannelId, dataType: 'text', data, tags: ['call'] }));
      assert.equal(own.data.text, 'Roger');
    });
    await step('sends an image', async () => {
      const { data: files } = await sdk.FileRepository.uploadImage(image());
      const bundle = { subChannelId, dataType: 'image', fileId: files[0].fileId, data: { caption: 'Here' } };
      const { data } = await MessageRepository.createMessage(bundle);
      assert.equal(data.dataType, 'image');
    });
    await step('sends a custom message', async () => {
      const bundle = { subChannelId, dataType: 'custom', data: { position: [52.1, 4.2] } };
      const { data } = await MessageRepository.createMessage(bundle);
      assert.deepEqual(data.data.position, [52.1, 4.2]);
    });
    await step('sends a message that mentions a user', async () => {
      const { data } = await MessageRepository.createMessage({
        subChannelId,
        dataType: 'text',
        data: { text: '@Ben' },
        mentionees: [{ type: 'user', userIds: [second.userId] }],
      });
      assert.deepEqual(data.mentionees[0].userIds, [second.userId]);
    });
    await step('sends a message that mentions the channel', async () => {
      const { data } = await MessageRepository.createMessage({
        subChannelId,
        dataType: 'text',
        data: { text: '@all' },
        mentionees: [{ type: 'channel' }],
      });
      assert.equal(data.mentionees[0].type, 'channel');
    });
    await step('replies to a message', async () => {
      const bundle = { subChannelId, dataType: 'text', data: { text: 'Where?' }, parentId: theirs.messageId };
      const { data } = await MessageRepository.createMessage(bundle);
      assert.equal(data.parentId, theirs.messageId);
    });
    await step('displays a message', async () => {
      const live = display((callback) => MessageRepository.getMessage(theirs.messageId, callback));
      assert.equal((await live.loaded()).data.text, 'Mayday');
    });
    await step('reads messages by their ids', async () => {
      const { data } = await MessageRepository.getMessageByIds([theirs.messageId]);
      assert.deepEqual(ids(data), [theirs.messageId]);
    }, ['MessageRepository.getMessageByIds']);
    await step('displays the messages of a sub-channel', async () => {
      const live = display((callback) => MessageRepository.getMessages({ subChannelId, limit: 20 }, callback));
      await live.until('both messages were expected', (data) =>
        [own, theirs].every((one) => ids(data).includes(one.messageId)),
      );
    });
    await step('displays each of its own messages once', async () => {
      const live = display((callback) => MessageRepository.getMessages({ subChannelId, limit: 20 }, callback));
      await live.loaded();
      const bundle = { subChannelId, dataType: 'text', data: { text: 'Once' } };
      const { data } = await MessageRepository.createMessage(bundle);
      const marker = await send('After it');
      await live.until('the message after it was expected', (shown) => ids(shown).includes(marker.messageId));
      assert.equal(ids(live.now!.data).filter((id) => id === data.messageId).length, 1);
    });
    await step('displays the next page of messages', async () => {
      const live = display((callback) => MessageRepository.getMessages({ subChannelId, limit: 3 }, callback));
      await live.until('a first page was expected', (data) => data.length === 3);
      const more = live.now!.onNextPage ?? (live.now as Json).onPrevPage;
      more();
      await live.until('a second page was expected', (data) => data.length > 3);
    });
    await step('displays the messages around one', async () => {
      const params = { subChannelId, aroundMessageId: theirs.messageId, limit: 5 };
      const live = display((callback) => MessageRepository.getMessages(params, callback));
      await live.until('the message was expected', (data) => ids(data).includes(theirs.messageId));
    }, ['StoryRepository']);
    await step('displays the messages with a tag', async () => {
      const params = { subChannelId, tags: ['call'], includingTags: ['call'] };
      const live = display((callback) => MessageRepository.getMessages(params, callback));
      await live.until('its own message was expected', (data) => ids(data).includes(own.messageId));
    });
    await step('edits a message', async () => {
      const { data } = await MessageRepository.editMessage(own.messageId, { data: { text: 'Roger that' } });
      assert.equal(data.data.text, 'Roger that');
    });
    await step('displays a message that a second user sends', async () => {
      const live = display((callback) => MessageRepository.getMessages({ subChannelId, limit: 5 }, callback));
      await live.loaded();
      const { messageId } = await send('Over');
      await live.until('the new message was expected', (data) => ids(data).includes(messageId));
    });
    await step('displays the edit of a message by a second user', async () => {
      const live = display((callback) => MessageRepository.getMessage(theirs.messageId, callback));
      await live.loaded();
      await second.put(`/api/v5/messages/${theirs.messageId}`, { data: { text: 'Mayday, mayday' } });
      await live.until('the edit was expected', (data) => data.data.text === 'Mayday, mayday');
    });
    await step('displays a reaction to a message', async () => {
      const live = display((callback) => MessageRepository.getMessage(theirs.messageId, callback));
      await live.loaded();
      const reaction = {
        referenceType: 'message',
        referenceId: theirs.messageId,
        reactionName: 'help',
        referenceVersion: 5,
      };
      await second.post('/api/v2/reactions', reaction);
      await live.until('the reaction was expected', (data) => data.reactions?.help === 1);
    });
    await step('displays that a second user deletes a message', async () => {
      const { messageId } = await send('Oops');
      const live = display((callback) => MessageRepository.getMessage(messageId, callback));
      await live.loaded();
      await second.delete(`/api/v5/messages/${messageId}`);
      await live.until('the deletion was expected', (data) => data.isDeleted);
    });
    await step('displays a message in a sub-channel that it subscribes to', async () => {
      const live = await second.createChannel({ type: 'live', displayName: 'Show', userIds: [userId] });
      const show = await second.firstFeed(live);
      const shown = display((callback) =>
        MessageRepository.getMessages({ subChannelId: show.messageFeedId, limit: 5 }, callback),
      );
      await shown.loaded();
      await subscribe(sdk.getSubChannelTopic(show));
      const { messageId } = await second.sendMessage(show.messageFeedId, 'Curtain');
      await shown.until('the new message was expected', (data) => ids(data).includes(messageId));
    });
    await step('marks a message as delivered', async () => {
      assert.equal(await MessageRepository.markAsDelivered(subChannelId, theirs.messageId), true);
    });
    await step('marks a message as read', async () => {
      const live = display((callback) => MessageRepository.getMessage(theirs.messageId, callback));
      const message = await live.loaded();
      if (message.markRead) message.markRead();
      else await ChannelRepository.markAsRead(channel.channelId);
      await waitFor(async () => {
        const { channelUsers } = await second.call(`/api/v4/channels/${channel.channelId}/users`);
        return channelUsers.some((member: Json) => member.userId === userId && member.readToSegment >= 1);
      }, 'the read position did not move');
    });
    await step('reads who read its message', async () => {
      await second.put(`/api/v1/markers/message-feeds/${feed.messageFeedId}/mark-read`, { readToSegment: 20 });
      const { data } = await MessageRepository.getReadUsers({ messageId: own.messageId, memberships: ['member'] });
      assert.ok(data.some((user: Json) => user.userId === second.userId));
    });
    await step('reads who received its message', async () => {
      const { data } = await MessageRepository.getDeliveredUsers({ messageId: own.messageId });
      assert.ok(data.some((user: Json) => user.userId === second.userId));
    });
    const displaysReaders = () =>
      step('displays that a second user read its message', async () => {
        const { data } = await MessageRepository.createMessage({
          subChannelId,
          dataType: 'text',
          data: { text: 'Read me' },
        });
        const live = display((callback) => MessageRepository.getMessages({ subChannelId, limit: 10 }, callback));
        await subscribe(sdk.getMarkedMessageTopic(data));
        const path = `/api/v1/markers/message-feeds/${feed.messageFeedId}/mark-read`;
        await second.put(path, { readToSegment: data.channelSegment });
        await live.until('one reader was expected', (shown) =>
          shown.some((message: Json) => message.messageId === data.messageId && message.readCount >= 1),
        );
      });
    if (version < 700) await displaysReaders();
    await step('reports a message', async () => {
      assert.equal(await MessageRepository.flagMessage(theirs.messageId), true);
    });
    await step('knows that it reported a message', async () => {
      assert.equal(await MessageRepository.isMessageFlaggedByMe(theirs.messageId), true);
    });
    await step('withdraws the report of a message', async () => {
      assert.equal(await MessageRepository.unflagMessage(theirs.messageId), true);
    });
    await step('reports a message by the general function', async () => {
      assert.equal(await sdk.createReport('message', theirs.messageId), true);
      assert.equal(await sdk.isReportedByMe('message', theirs.messageId), true);
      assert.equal(await sdk.deleteReport('message', theirs.messageId), true);
    });
    await step('deletes a message', async () => {
      const deleted = await MessageRepository.softDeleteMessage(own.messageId);
      assert.equal(deleted.isDeleted, true);
    });
  },
};

const firstChannel = ({ channels }: Json) => channels[0];
