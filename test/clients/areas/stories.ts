import assert from 'node:assert/strict';
import type { Area } from '../application.ts';
import { image, video } from '../media.ts';
import type { Json } from '../rest-user.ts';

const ids = (stories: Json[]) => stories.map((story) => story?.storyId);

export const stories: Area = {
  name: 'stories',
  needs: 'StoryRepository',
  async run({ sdk, step, display, second, subscribe }) {
    const { StoryRepository } = sdk;
    const { data: community } = await sdk.CommunityRepository.createCommunity({
      displayName: 'Cannery',
      userIds: [second.userId],
      storySetting: { enableComment: true },
    });
    const target = { targetType: 'community', targetId: community.communityId };
    let own: Json;
    await step('creates an image story', async () => {
      const link = { type: 'hyperlink', data: { url: 'https://example.com/', customText: 'More' } };
      const items = [link];
      ({ data: own } = await StoryRepository.createImageStory(...Object.values(target), image(), {}, 'fit', items));
      assert.equal(own.dataType, 'image');
    });
    await step('creates a video story', async () => {
      const { data } = await StoryRepository.createVideoStory(...Object.values(target), video());
      assert.equal(data.dataType, 'video');
    });
    await step('displays the stories of a target', async () => {
      const live = display((callback) => StoryRepository.getActiveStoriesByTarget(target, callback));
      await live.until('two stories were expected', (data) => data.length === 2);
    });
    await step('displays the stories of several targets', async () => {
      const live = display((callback) => StoryRepository.getStoriesByTargetIds({ targets: [target] }, callback));
      await live.until('two stories were expected', (data) => data.length === 2);
    });
    await step('displays a story', async () => {
      const live = display((callback) => StoryRepository.getStoryByStoryId(own.storyId, callback));
      assert.equal((await live.loaded()).storyId, own.storyId);
    });
    await step('displays a target', async () => {
      const live = display((callback) => StoryRepository.getTargetById(target, callback));
      assert.equal((await live.loaded()).targetId, community.communityId);
    });
    await step('displays several targets', async () => {
      const live = display((callback) => StoryRepository.getTargetsByTargetIds([target], callback));
      await live.until('one target was expected', (data) => data.length === 1);
    });
    for (const seenState of ['all', 'unseen', 'seen', 'smart']) {
      await step(`displays the targets of the network: ${seenState}`, async () => {
        const live = display((callback) => StoryRepository.getGlobalStoryTargets({ seenState, limit: 10 }, callback));
        assert.ok(Array.isArray(await live.loaded()));
      });
    }
    await step('displays a story that a second user creates', async () => {
      await sdk.CommunityRepository.Moderation.addRoles(
        community.communityId,
        ['community-moderator'],
        [second.userId],
      );
      const live = display((callback) => StoryRepository.getActiveStoriesByTarget(target, callback));
      await live.loaded();
      await subscribe(sdk.getCommunityStoriesTopic(target));
      const fileId = await second.uploadImage();
      const { stories: created } = await second.post('/api/v4/stories', {
        ...target,
        dataType: 'image',
        data: { fileId, imageDisplayMode: 'fit' },
      });
      await live.until('the new story was expected', (shown) => ids(shown).includes(created[0].storyId));
    });
    await step('displays a reaction to a story', async () => {
      const live = display((callback) => StoryRepository.getStoryByStoryId(own.storyId, callback));
      const story = await live.loaded();
      await subscribe(sdk.getStoryTopic(story));
      const reaction = { referenceType: 'story', referenceId: own.storyId, reactionName: 'fish' };
      await second.post('/api/v2/reactions', reaction);
      await live.until('the reaction was expected', (data) => data.reactions?.fish === 1);
    });
    await step('reacts to a story', async () => {
      assert.equal(await sdk.ReactionRepository.addReaction('story', own.storyId, 'wave'), true);
    });
    await step('comments on a story', async () => {
      const reference = { referenceType: 'story', referenceId: own.storyId };
      const { data } = await sdk.CommentRepository.createComment({ ...reference, data: { text: 'Salty' } });
      assert.equal(data.referenceId, own.storyId);
    });
    await step('marks a story as seen', async () => {
      const displayStory = () => display((callback) => StoryRepository.getStoryByStoryId(own.storyId, callback));
      const story = await displayStory().loaded();
      story.analytics.markAsSeen();
      // The client computes `isSeen` when it displays a story, and displays one that was seen again only when it changes.
      await displayStory().until('the story was expected to be seen', ({ isSeen }) => isSeen);
    });
    await step('deletes a story', async () => assert.equal(await StoryRepository.softDeleteStory(own.storyId), true));
    await step('deletes a story for good', async () => {
      const { data } = await StoryRepository.createImageStory(...Object.values(target), image());
      assert.equal(await StoryRepository.hardDeleteStory(data.storyId), true);
    });
  },
};
