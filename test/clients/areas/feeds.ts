import assert from 'node:assert/strict';
import type { Area } from '../application.ts';
import type { Json } from '../rest-user.ts';

const ids = (posts: Json[]) => posts.map(({ postId }) => postId);

export const feeds: Area = {
  name: 'feeds',
  async run({ sdk, step, display, userId, second, version }) {
    const { FeedRepository } = sdk;
    const community = await second.createCommunity({ displayName: 'Yacht club', userIds: [userId] });
    const post = await second.createPost('community', community.communityId, 'Race on Sunday');
    const theirs = await second.createPost('user', second.userId, 'My own feed');
    await step('reads the global feed', async () => {
      const { data } = await FeedRepository.queryGlobalFeed({ limit: 10 });
      assert.ok(ids(data).includes(post.postId), 'the newest post is missing');
    });
    await step('reads the next page of the global feed', async () => {
      for (let number = 0; number < 12; number++)
        await second.createPost('community', community.communityId, `${number}`);
      const first = await FeedRepository.queryGlobalFeed();
      const token = first.paging?.next ?? undefined;
      const next = version >= 700 ? { queryToken: token } : { page: first.nextPage, queryToken: token };
      assert.ok(version >= 700 ? token : first.nextPage, 'no next page');
      const { data } = await FeedRepository.queryGlobalFeed(next);
      assert.ok(data.length > 0 && !ids(first.data).includes(data[0].postId), 'the second page repeats the first');
    });
    if (version < 700) {
      await step('reads the ranked global feed', async () => {
        const { data } = await FeedRepository.getCustomRankingGlobalFeed({ limit: 10 });
        assert.ok(data.length > 0, 'no posts');
      });
      return;
    }
    const feed = (title: string, method: string, params: object, expected: string) =>
      step(`displays ${title}`, async () => {
        const live = display((callback) => FeedRepository[method](params, callback));
        await live.until('a post is missing', (data) => ids(data).includes(expected));
      });
    const newest = await second.createPost('community', community.communityId, 'The newest');
    await feed('the global feed', 'getGlobalFeed', { limit: 10 }, newest.postId);
    await feed('the ranked global feed', 'getCustomRankingGlobalFeed', { limit: 10 }, newest.postId);
    await feed('the feed of a user', 'getUserFeed', { userId: second.userId }, theirs.postId);
    const withCommunities = { userId: second.userId, feedSources: ['user', 'community'] };
    await feed('the feed of a user with posts in communities', 'getUserFeed', withCommunities, newest.postId);
    await feed('the feed of a community', 'getCommunityFeed', { communityId: community.communityId }, newest.postId);
  },
};
