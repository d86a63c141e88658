import assert from 'node:assert/strict';
import type { Area } from '../application.ts';
import type { Json } from '../rest-user.ts';

export const polls: Area = {
  name: 'polls',
  async run({ sdk, step, display, userId, second, subscribe }) {
    const { PollRepository, PostRepository } = sdk;
    const community = await second.createCommunity({ displayName: 'Crew', userIds: [userId] });
    const question = { question: 'Which course?', answerType: 'single', closedIn: 86_400_000 };
    const answers = ['north', 'south'].map((data) => ({ dataType: 'text', data }));
    const { polls: created } = await second.post('/api/v3/polls', { ...question, answers });
    const [theirs] = created;
    const asPost = (pollId: string) => ({
      targetType: 'community',
      targetId: community.communityId,
      dataType: 'poll',
      data: { pollId, text: 'Vote' },
    });
    const { posts } = await second.post('/api/v4/posts', asPost(theirs.pollId));
    let own: Json;
    await step('creates a poll and a post with it', async () => {
      ({ data: own } = await PollRepository.createPoll({ ...question, answers }));
      const { data } = await PostRepository.createPost(asPost(own.pollId));
      assert.equal(data.children.length, 1);
    });
    await step('displays a poll', async () => {
      const live = display((callback) => PollRepository.getPoll(theirs.pollId, callback));
      assert.equal((await live.loaded()).answers.length, 2);
    });
    await step('votes', async () => {
      const { data } = await PollRepository.votePoll(theirs.pollId, [theirs.answers[0].id]);
      assert.equal(data.isVoted, true);
      assert.equal(data.answers[0].voteCount, 1);
    });
    await step('takes its vote back', async () => {
      await PollRepository.unvotePoll(theirs.pollId);
      const live = display((callback) => PollRepository.getPoll(theirs.pollId, callback));
      await live.until('no vote was expected', (data) => !data.isVoted);
    }, ['PollRepository.unvotePoll']);
    await step('displays the vote of a second user', async () => {
      const live = display((callback) => PollRepository.getPoll(theirs.pollId, callback));
      const before = (await live.loaded()).answers[1].voteCount;
      await subscribe(sdk.getCommunityTopic(community, sdk.SubscriptionLevels.POST));
      await subscribe(sdk.getPostTopic(posts[0]));
      await second.post(`/api/v3/polls/${theirs.pollId}/votes`, { answerIds: [theirs.answers[1].id] });
      await live.until('the vote was expected', (data) => data.answers[1].voteCount === before + 1);
    });
    await step('closes a poll', async () => {
      const { data } = await PollRepository.closePoll(own.pollId);
      assert.equal(data.status, 'closed');
    });
    await step('deletes a poll', async () => assert.equal(await PollRepository.deletePoll(own.pollId), true));
  },
};
