import assert from 'node:assert/strict';
import type { Area } from '../application.ts';
import type { Json } from '../rest-user.ts';

const ids = (channels: Json[]) => channels.map(({ channelId }) => channelId);

export const channels: Area = {
  name: 'channels',
  async run({ sdk, step, display, userId, second }) {
    const { ChannelRepository } = sdk;
    const { Membership, Moderation } = ChannelRepository;
    const theirs = await second.createChannel({ displayName: 'Galley', userIds: [userId] });
    const open = await second.createChannel({ displayName: 'Deck', isPublic: true });
    let own: Json;
    for (const type of ['community', 'conversation', 'live', 'broadcast']) {
      if (type === 'broadcast') continue;
      await step(`creates a channel: ${type}`, async () => {
        const { data } = await ChannelRepository.createChannel({ type, displayName: type, userIds: [second.userId] });
        if (type === 'community') own = data;
        assert.equal(data.type, type);
      });
    }
    await step('displays a channel', async () => {
      const live = display((callback) => ChannelRepository.getChannel(theirs.channelId, callback));
      assert.equal((await live.loaded()).displayName, 'Galley');
    });
    await step('reads channels by their ids', async () => {
      const { data } = await ChannelRepository.getChannelByIds([theirs.channelId]);
      assert.deepEqual(ids(data), [theirs.channelId]);
    });
    await step('displays channels', async () => {
      const live = display((callback) => ChannelRepository.getChannels({ membership: 'member', limit: 10 }, callback));
      await live.until('the channel was expected', (data) => ids(data).includes(theirs.channelId));
    });
    await step('displays the next page of channels', async () => {
      const params = { limit: 2, sortBy: 'firstCreated' };
      const live = display((callback) => ChannelRepository.getChannels(params, callback));
      const { length } = await live.until(
        'a first page was expected',
        (data) => data.length >= 2 && live.now!.hasNextPage,
      );
      live.now!.onNextPage!();
      await live.until('a second page was expected', (data) => data.length > length);
    });
    await step('joins a channel', async () => assert.equal(await ChannelRepository.joinChannel(open.channelId), true));
    await step('leaves a channel', async () =>
      assert.equal(await ChannelRepository.leaveChannel(open.channelId), true),
    );
    await step('changes a channel', async () => {
      const { data } = await ChannelRepository.updateChannel(own.channelId, { displayName: 'Bridge', tags: ['helm'] });
      assert.equal(data.displayName, 'Bridge');
    });
    await step('displays members with their users', async () => {
      const live = display((callback) => Membership.getMembers({ channelId: theirs.channelId }, callback));
      await live.until(
        'two members with users were expected',
        (data) => data.length === 2 && data.every((one: Json) => one.user),
      );
    });
    await step('finds a member by name', async () => {
      const params = { channelId: theirs.channelId, search: 'ben' };
      const live = display((callback) => Membership.searchMembers(params, callback));
      await live.until('Ben was expected', (data) => data.some((member: Json) => member.userId === second.userId));
    });
    await step('adds a member', async () => assert.equal(await Membership.addMembers(own.channelId, ['carol']), true));
    await step('removes a member', async () => {
      assert.equal(await Membership.removeMembers(own.channelId, ['carol']), true);
    });
    await step('gives a role', async () => {
      assert.equal(await Moderation.addRole(own.channelId, 'channel-moderator', [second.userId]), true);
    });
    await step('takes a role away', async () => {
      assert.equal(await Moderation.removeRole(own.channelId, 'channel-moderator', [second.userId]), true);
    });
    await step('mutes members and lifts the mute', async () => {
      assert.equal(await Moderation.muteMembers(own.channelId, [second.userId], 60_000), true);
      assert.equal(await Moderation.unmuteMembers(own.channelId, [second.userId]), true);
    }, ['ChannelRepository.Moderation.muteMembers']);
    await step('mutes a channel and lifts the mute', async () => {
      assert.equal(await ChannelRepository.muteChannel(own.channelId, 60_000), true);
      assert.equal(await ChannelRepository.unmuteChannel(own.channelId), true);
    });
    await step('displays that a second user mutes the channel', async () => {
      const live = display((callback) => ChannelRepository.getChannel(theirs.channelId, callback));
      await live.until('no mute was expected', (data) => !data.isMuted);
      await second.put(`/api/v2/channel/${theirs.channelId}/mute`, { mutePeriod: 60_000 });
      await live.until('the mute was expected', (data) => data.isMuted);
      await second.put(`/api/v2/channel/${theirs.channelId}/mute`, { mutePeriod: 0 });
    });
    await step('bans a member', async () => {
      const { data } = await Moderation.banMembers(own.channelId, [second.userId]);
      assert.ok(data.some((member: Json) => member.userId === second.userId));
    });
    await step('lifts the ban of a member', async () => {
      assert.ok((await Moderation.unbanMembers(own.channelId, [second.userId])).data);
    });
    await step("displays a second user's change of a channel", async () => {
      const live = display((callback) => ChannelRepository.getChannel(theirs.channelId, callback));
      await live.loaded();
      await second.put(`/api/v3/channels/${theirs.channelId}`, { displayName: 'Mess' });
      await live.until('the change was expected', (data) => data.displayName === 'Mess');
    });
    await step('displays a channel that a second user creates', async () => {
      const live = display((callback) => ChannelRepository.getChannels({ membership: 'member', limit: 5 }, callback));
      await live.loaded();
      const { channelId } = await second.createChannel({ displayName: 'Hold', userIds: [userId] });
      await live.until('the new channel was expected', (data) => ids(data).includes(channelId));
    });
    await step('displays a new member of a channel', async () => {
      const live = display((callback) => Membership.getMembers({ channelId: theirs.channelId }, callback));
      await live.loaded();
      await second.post(`/api/v3/channels/${theirs.channelId}/users`, { userIds: ['dave'] });
      await live.until('Dave was expected', (data) => data.some((member: Json) => member.userId === 'dave'));
    });
    await step('displays the preview of the last message', async () => {
      const feed = await second.firstFeed(theirs);
      await second.sendMessage(feed.messageFeedId, 'Dinner');
      const live = display((callback) => ChannelRepository.getChannel(theirs.channelId, callback));
      await live.until('a preview was expected', (data) => data.messagePreview?.data?.text === 'Dinner');
    }, ['StoryRepository']);
    await step('deletes a channel', async () => {
      const deleted = await ChannelRepository.deleteChannel(own.channelId);
      assert.equal(deleted.isDeleted, true);
    });
  },
};
