import assert from 'node:assert/strict';
import type { Area } from '../application.ts';
import type { Json } from '../rest-user.ts';

export const relationships: Area = {
  name: 'relationships',
  async run({ sdk, step, display, userId, second, subscribe }) {
    const { Relationship } = sdk.UserRepository;
    const [follower, following] = [sdk.getMyFollowersTopic(), sdk.getMyFollowingsTopic()];
    await subscribe(follower);
    await subscribe(following);
    await step('follows a user', async () => {
      const { data } = await Relationship.follow(second.userId);
      const status = Array.isArray(data) ? data[0] : data;
      assert.deepEqual([status.from, status.to, status.status], [userId, second.userId, 'accepted']);
    });
    await step('displays whom it follows', async () => {
      const live = display((callback) => Relationship.getFollowings({ userId, status: 'accepted' }, callback));
      await live.until('Ben was expected', (data) => data.some((follow: Json) => follow.to === second.userId));
    });
    await step('displays the followers of a user', async () => {
      const params = { userId: second.userId, status: 'accepted' };
      const live = display((callback) => Relationship.getFollowers(params, callback));
      await live.until('Ann was expected', (data) => data.some((follow: Json) => follow.from === userId));
    });
    await step('displays its own counts', async () => {
      const live = display((callback) => Relationship.getMyFollowInfo(callback));
      await live.until('one followed user was expected', (data) => data.followingCount === 1);
    });
    await step('displays the counts of a user and its relation to them', async () => {
      const live = display((callback) => Relationship.getFollowInfo(second.userId, callback));
      await live.until('one follower was expected', (data) => data.followerCount === 1 && data.status === 'accepted');
    });
    await step('stops following', async () => {
      assert.equal(await Relationship.unfollow(second.userId), true);
      const live = display((callback) => Relationship.getFollowInfo(second.userId, callback));
      await live.until('no follower was expected', (data) => data.followerCount === 0);
    });
    await step('displays a new follower', async () => {
      const live = display((callback) => Relationship.getFollowers({ userId, status: 'accepted' }, callback));
      await live.loaded();
      await second.post(`/api/v4/me/following/${userId}`);
      await live.until('Ben was expected', (data) => data.some((follow: Json) => follow.from === second.userId));
    });
    await step('removes a follower', async () => {
      assert.equal(await Relationship.declineMyFollower(second.userId), true);
    });
    await step('has no request to accept', async () => {
      await assert.rejects(Relationship.acceptMyFollower('carol'));
    });
    await step('blocks a user', async () => {
      const { follows, data } = await Relationship.blockUser(second.userId);
      assert.equal((data?.follows ?? follows)[0].status, 'blocked');
    });
    await step('displays the users it blocks', async () => {
      const live = display((callback) => sdk.UserRepository.getBlockedUsers({ limit: 10 }, callback));
      await live.until('Ben was expected', (data) => data.some((user: Json) => user.userId === second.userId));
    });
    await step('reads all users it blocks', async () => {
      const blocked = await sdk.UserRepository.getAllBlockedUsers();
      assert.deepEqual(
        blocked.map((user: Json) => user.userId),
        [second.userId],
      );
    }, ['UserRepository.getAllBlockedUsers']);
    await step('stops blocking a user', async () => {
      const { follows, data } = await Relationship.unBlockUser(second.userId);
      assert.equal((data?.follows ?? follows)[0].status, 'none');
    });
  },
};
