import assert from 'node:assert/strict';
import type { Area } from '../application.ts';
import { type Snapshot, waitFor } from '../live.ts';
import type { Json } from '../rest-user.ts';

export const reactions: Area = {
  name: 'reactions',
  async run({ sdk, step, display, userId, second }) {
    const { ReactionRepository } = sdk;
    const isOwn = (reaction: Json) => (reaction.reactors?.[0] ?? reaction).userId === userId;
    const community = await second.createCommunity({ displayName: 'Reef', userIds: [userId] });
    const post = await second.createPost('community', community.communityId, 'A shoal');
    const comment = await second.createComment('post', post.postId, 'Of herring');
    const channel = await second.createChannel({ userIds: [userId] });
    const feed = await second.firstFeed(channel);
    const message = await second.sendMessage(feed.messageFeedId, 'A whale');
    for (const [type, id] of [
      ['post', post.postId],
      ['comment', comment.commentId],
      ['message', message.messageId],
    ]) {
      await step(`reacts to a ${type}`, async () => {
        assert.equal(await ReactionRepository.addReaction(type, id, 'wave'), true);
      });
      await step(`displays the reactions to a ${type}`, async () => {
        const params = { referenceType: type, referenceId: id };
        let wasDisplayed = false;
        const live = display((callback) =>
          ReactionRepository.getReactions(params, (snapshot: Snapshot) => {
            if (!snapshot.loading && !snapshot.error) wasDisplayed ||= snapshot.data?.some(isOwn);
            callback(snapshot);
          }),
        );
        // For messages, the handler of version 6.35.3 treats `message.reactionAdded` as a removal: the reaction disappears when
        // the event follows the response.
        if (type === 'message') await waitFor(() => wasDisplayed, 'its own reaction was expected');
        else await live.until('its own reaction was expected', (data) => data.some(isOwn));
      });
      await step(`takes back its reaction to a ${type}`, async () => {
        assert.equal(await ReactionRepository.removeReaction(type, id, 'wave'), true);
      });
    }
  },
};
