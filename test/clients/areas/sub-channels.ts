import assert from 'node:assert/strict';
import type { Area } from '../application.ts';
import type { Json } from '../rest-user.ts';

const ids = (feeds: Json[]) => feeds.map(({ subChannelId }) => subChannelId);

export const subChannels: Area = {
  name: 'sub-channels',
  async run({ sdk, step, display, userId, second, subscribe }) {
    const { SubChannelRepository, ChannelRepository } = sdk;
    const { data: channel } = await ChannelRepository.createChannel({
      type: 'community',
      displayName: 'Cabins',
      userIds: [second.userId],
    });
    const first = channel.defaultSubChannelId;
    let own: Json;
    await step('displays the first sub-channel', async () => {
      const live = display((callback) => SubChannelRepository.getSubChannel(first, callback));
      assert.equal((await live.loaded()).subChannelId, first);
    });
    await step('creates a sub-channel', async () => {
      ({ data: own } = await SubChannelRepository.createSubChannel({
        channelId: channel.channelId,
        displayName: 'Bow',
      }));
      assert.equal(own.displayName, 'Bow');
    });
    await step('displays the sub-channels of a channel', async () => {
      const params = { channelId: channel.channelId, limit: 10 };
      const live = display((callback) => SubChannelRepository.getSubChannels(params, callback));
      await live.until('two sub-channels were expected', (data) => data.length === 2);
    });
    await step('leaves the first sub-channel out', async () => {
      const params = { channelId: channel.channelId, excludeDefaultSubChannel: true };
      const live = display((callback) => SubChannelRepository.getSubChannels(params, callback));
      await live.until(
        'one sub-channel was expected',
        (data) => data.length === 1 && ids(data)[0] === own.subChannelId,
      );
    });
    await step('reads sub-channels by their ids', async () => {
      const { data } = await SubChannelRepository.getSubChannelByIds([first, own.subChannelId]);
      assert.deepEqual(ids(data).sort(), [first, own.subChannelId].sort());
    });
    await step('changes a sub-channel', async () => {
      const { data } = await SubChannelRepository.updateSubChannel(own.subChannelId, { displayName: 'Stern' });
      assert.equal(data.displayName, 'Stern');
    });
    await step('displays a sub-channel that a second user creates', async () => {
      const theirs = await second.createChannel({ displayName: 'Berths', userIds: [userId] });
      const live = display((callback) =>
        SubChannelRepository.getSubChannels({ channelId: theirs.channelId }, callback),
      );
      await live.loaded();
      await subscribe(sdk.getChannelTopic(theirs));
      const { messageFeeds } = await second.post('/api/v5/message-feeds', {
        channelId: theirs.channelInternalId,
        name: 'Keel',
      });
      await live.until('the new one was expected', (data) => ids(data).includes(messageFeeds[0].messageFeedId));
    });
    await step('starts and stops reading', async () => {
      const start = SubChannelRepository.startReading ?? SubChannelRepository.startMessageReceiptSync;
      const stop = SubChannelRepository.stopReading ?? SubChannelRepository.stopMessageReceiptSync;
      assert.notEqual(await start(first), false);
      assert.notEqual(await stop(first), false);
    });
    await step('deletes a sub-channel', async () => {
      const deleted = await SubChannelRepository.softDeleteSubChannel(own.subChannelId);
      assert.equal(deleted.isDeleted, true);
    });
    await step('deletes a sub-channel for good', async () => {
      const { data } = await SubChannelRepository.createSubChannel({
        channelId: channel.channelId,
        displayName: 'Brief',
      });
      assert.ok(await SubChannelRepository.hardDeleteSubChannel(data.subChannelId));
    });
  },
};
