import assert from 'node:assert/strict';
import type { Area } from '../application.ts';
import { image } from '../media.ts';
import type { Json } from '../rest-user.ts';

const ids = (posts: Json[]) => posts.map(({ postId }) => postId);

export const posts: Area = {
  name: 'posts',
  async run({ sdk, step, display, userId, second, version, subscribe }) {
    const { PostRepository, FileRepository } = sdk;
    const community = await second.createCommunity({ displayName: 'Shipyard', userIds: [userId] });
    const target = { targetType: 'community', targetId: community.communityId };
    const theirs = await second.createPost('community', community.communityId, 'A hull is laid');
    let own: Json;
    await step('creates a text post', async () => {
      ({ data: own } = await PostRepository.createPost({
        ...target,
        data: { text: 'The mast stands' },
        tags: ['mast'],
      }));
      assert.equal(own.data.text, 'The mast stands');
    });
    await step('creates a post that mentions a user', async () => {
      const mentionees = [{ type: 'user', userIds: [second.userId] }];
      const metadata = { mentioned: [{ type: 'user', index: 0, length: 3, userId: second.userId }] };
      const { data } = await PostRepository.createPost({
        ...target,
        data: { text: '@Ben look' },
        mentionees,
        metadata,
      });
      assert.deepEqual(data.mentionees[0].userIds, [second.userId]);
    });
    await step('creates a post with an image', async () => {
      const { data: files } = await FileRepository.uploadImage(image());
      const attachments = [{ type: 'image', fileId: files[0].fileId }];
      const { data } = await PostRepository.createPost({ ...target, data: { text: 'A picture' }, attachments });
      assert.equal(data.children.length, 1);
      const live = display((callback) => PostRepository.getPost(data.children[0], callback));
      await live.until('an image post was expected', (child) => child.dataType === 'image');
    });
    await step('creates a post in its own feed', async () => {
      const { data } = await PostRepository.createPost({
        targetType: 'user',
        targetId: userId,
        data: { text: 'Mine' },
      });
      assert.equal(data.targetType, 'user');
    });
    await step('displays a post with its author', async () => {
      const live = display((callback) => PostRepository.getPost(theirs.postId, callback));
      const post = await live.loaded();
      assert.equal(post.data.text, 'A hull is laid');
      if (version >= 635) assert.equal(post.creator.userId, second.userId);
    });
    await step('reads posts by their ids', async () => {
      const { data } = await PostRepository.getPostByIds([theirs.postId]);
      assert.deepEqual(ids(data), [theirs.postId]);
    });
    await step('displays the posts of a community', async () => {
      const live = display((callback) => PostRepository.getPosts({ ...target, limit: 10 }, callback));
      await live.until('the first post was expected', (data) => ids(data).includes(theirs.postId));
    });
    await step('displays the next page of posts', async () => {
      for (const text of ['one', 'two', 'three', 'four'])
        await second.createPost('community', community.communityId, text);
      const live = display((callback) => PostRepository.getPosts({ ...target, limit: 3 }, callback));
      const { length } = await live.until(
        'a first page was expected',
        (data) => data.length >= 3 && live.now!.hasNextPage,
      );
      live.now!.onNextPage!();
      await live.until('a second page was expected', (data) => data.length > length);
    });
    await step('displays the posts with images', async () => {
      const live = display((callback) => PostRepository.getPosts({ ...target, dataTypes: ['image'] }, callback));
      await live.until('a post with an image was expected', (data) => data.length >= 1);
    });
    await step('edits a post', async () => {
      const { data } = await PostRepository.editPost(own.postId, { data: { text: 'The mast stands well' } });
      assert.equal(data.data.text, 'The mast stands well');
    });
    await step('displays a post that a second user writes', async () => {
      const live = display((callback) => PostRepository.getPosts({ ...target, limit: 5 }, callback));
      await live.loaded();
      await subscribe(sdk.getCommunityTopic(community, sdk.SubscriptionLevels.POST));
      const { postId } = await second.createPost('community', community.communityId, 'Launched');
      await live.until('the new post was expected', (data) => ids(data).includes(postId));
    });
    await step('displays the edit of a second user', async () => {
      const live = display((callback) => PostRepository.getPost(theirs.postId, callback));
      await subscribe(sdk.getPostTopic(await live.loaded()));
      await second.put(`/api/v4/posts/${theirs.postId}`, { data: { text: 'A keel is laid' } });
      await live.until('the edit was expected', (data) => data.data.text === 'A keel is laid');
    });
    await step('displays a reaction of a second user', async () => {
      const live = display((callback) => PostRepository.getPost(theirs.postId, callback));
      await subscribe(sdk.getPostTopic(await live.loaded()));
      const reaction = { referenceType: 'post', referenceId: theirs.postId, reactionName: 'anchor' };
      await second.post('/api/v2/reactions', reaction);
      await live.until('the reaction was expected', (data) => data.reactions?.anchor === 1);
    });
    await step('no longer displays a post that a second user deletes', async () => {
      const { postId } = await second.createPost('community', community.communityId, 'Gone soon');
      const live = display((callback) => PostRepository.getPosts({ ...target, limit: 5 }, callback));
      await live.until('the post was expected', (data) => ids(data).includes(postId));
      await second.delete(`/api/v4/posts/${postId}`);
      await live.until('the post was still there', (data) => !ids(data).includes(postId));
    });
    await step('reports a post', async () => assert.equal(await PostRepository.flagPost(theirs.postId), true));
    await step('knows that it reported a post', async () => {
      assert.equal(await PostRepository.isPostFlaggedByMe(theirs.postId), true);
    });
    await step('withdraws the report of a post', async () => {
      assert.equal(await PostRepository.unflagPost(theirs.postId), true);
    });
    await step('reports a post by the general function', async () => {
      assert.equal(await sdk.createReport('post', theirs.postId), true);
      assert.equal(await sdk.isReportedByMe('post', theirs.postId), true);
      assert.equal(await sdk.deleteReport('post', theirs.postId), true);
    });
    await step('approves and declines posts', async () => {
      const fields = { displayName: 'Museum', needApprovalOnPostCreation: true };
      const { data: reviewed } = await sdk.CommunityRepository.createCommunity({
        ...fields,
        postSetting: sdk.CommunityPostSettings.ADMIN_REVIEW_POST_REQUIRED,
        userIds: [second.userId],
      });
      const good = await second.createPost('community', reviewed.communityId, 'Good');
      const bad = await second.createPost('community', reviewed.communityId, 'Bad');
      const params = { targetType: 'community', targetId: reviewed.communityId, feedType: 'reviewing' };
      const live = display((callback) => PostRepository.getPosts(params, callback));
      await live.until('two posts under review were expected', (data) => data.length === 2);
      assert.equal((await PostRepository.approvePost(good.postId)).data.feedType, 'published');
      await PostRepository.declinePost(bad.postId);
    });
    await step('deletes a post', async () => {
      const deleted = await PostRepository.softDeletePost(own.postId);
      assert.equal(deleted.isDeleted, true);
    });
    const moderator = { roles: ['community-moderator'], userIds: [userId] };
    await second.post(`/api/v4/communities/${community.communityId}/users/roles`, moderator);
    await step('deletes a post for good', async () => {
      const { data } = await PostRepository.createPost({ ...target, data: { text: 'Nothing' } });
      assert.ok(await PostRepository.hardDeletePost(data.postId));
    });
    await step('displays pinned posts', async () => {
      await second.post(`/api/v1/pinned-posts/communities/${community.communityId}/default/${theirs.postId}`);
      const params = { communityId: community.communityId, placement: 'default' };
      const live = display((callback) => PostRepository.getPinnedPosts(params, callback));
      await live.until('the pinned post was expected', (data) => data[0]?.post?.postId === theirs.postId);
    }, ['PostRepository.getPinnedPosts']);
    await step('displays posts pinned in the network', async () => {
      const live = display((callback) => PostRepository.getGlobalPinnedPosts({}, callback));
      assert.ok(Array.isArray(await live.loaded()));
    }, ['PostRepository.getGlobalPinnedPosts']);
    await step('counts a view and displays the viewers', async () => {
      const { data } = await PostRepository.createPost({ ...target, data: { text: 'Look' } });
      const views = { contentId: data.postId, contentType: 'post', activityType: 'view', timestamp: new Date() };
      await second.post('/api/v1/analytics/activities', { activities: [views] });
      const params = { viewId: data.postId, viewedType: 'post' };
      const live = display((callback) => sdk.UserRepository.getReachedUsers(params, callback));
      await live.until('Ben was expected', (viewers) => viewers.some((user: Json) => user.userId === second.userId));
    }, ['UserRepository.getReachedUsers']);
    await step('finds posts by meaning', async () => {
      const live = display((callback) => PostRepository.semanticSearchPosts({ query: 'keel' }, callback));
      await live.until('the post about the keel was expected', (data) => ids(data).includes(theirs.postId));
    }, ['PostRepository.semanticSearchPosts']);
    await step('finds posts by hashtag', async () => {
      const { data } = await PostRepository.createPost({
        ...target,
        data: { text: '#tide is high' },
        hashtags: ['tide'],
      });
      const params = { hashtags: ['tide'], targetType: 'community' };
      const live = display((callback) => PostRepository.searchPostsByHashtag(params, callback));
      await live.until('the post was expected', (found) => ids(found).includes(data.postId));
    }, ['PostRepository.searchPostsByHashtag']);
  },
};
