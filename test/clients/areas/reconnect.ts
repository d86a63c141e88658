import assert from 'node:assert/strict';
import type { Area } from '../application.ts';
import { waitFor } from '../live.ts';
import type { Json } from '../rest-user.ts';

/** The gateway process is killed while the application displays a channel and a community. */
export const reconnect: Area = {
  name: 'reconnect',
  // The clients synchronize markers in the background, also while the gateway is down.
  ignores: /ECONNREFUSED|ECONNRESET|socket hang up/,
  async run({ sdk, step, display, userId, second, gateway, subscribe }) {
    const { MessageRepository, PostRepository } = sdk;
    const community = await second.createCommunity({ displayName: 'Breakwater', userIds: [userId] });
    const channel = await second.createChannel({ displayName: 'Storm', userIds: [userId] });
    const feed = await second.firstFeed(channel);
    const target = { targetType: 'community', targetId: community.communityId };
    const messages = display((callback) =>
      MessageRepository.getMessages({ subChannelId: feed.messageFeedId, limit: 20 }, callback),
    );
    const posts = display((callback) => PostRepository.getPosts({ ...target, limit: 20 }, callback));
    await subscribe(sdk.getCommunityTopic(community, sdk.SubscriptionLevels.POST));
    await step('is connected before the gateway is killed', async () => {
      await messages.loaded();
      await posts.loaded();
      const { messageId } = await second.sendMessage(feed.messageFeedId, 'Calm');
      await messages.until('the message was expected', (data) => has(data, 'messageId', messageId));
    });
    await gateway.kill();
    await step('rejects calls while the gateway is down', async () => {
      await assert.rejects(sdk.UserRepository.getUserByIds(['frank']));
    });
    await gateway.start();
    await step('reads after the gateway is back', async () => {
      const { data } = await sdk.UserRepository.getUserByIds(['grace']);
      assert.equal(data.length, 1);
    });
    await step('is connected again', async () => {
      await waitFor(() => sdk.Client.isConnected(), 'not connected');
      let number = 0;
      await waitFor(async () => {
        const { messageId } = await second.sendMessage(feed.messageFeedId, `After ${number++}`);
        await new Promise((resolve) => setTimeout(resolve, 500));
        return has(messages.now?.data ?? [], 'messageId', messageId);
      }, 'no message arrived');
    });
    await step('displays posts of a topic that it subscribed to before', async () => {
      const { postId } = await second.createPost('community', community.communityId, 'After the storm');
      await posts.until('the post was expected', (data) => has(data, 'postId', postId));
    });
  },
};

const has = (records: Json[], field: string, id: string) => records.some((record) => record[field] === id);
