import assert from 'node:assert/strict';
import type { Area } from '../application.ts';
import { image } from '../media.ts';
import type { Json } from '../rest-user.ts';

const ids = (comments: Json[]) => comments.map(({ commentId }) => commentId);

export const comments: Area = {
  name: 'comments',
  async run({ sdk, step, display, userId, second, subscribe }) {
    const { CommentRepository } = sdk;
    const community = await second.createCommunity({ displayName: 'Net loft', userIds: [userId] });
    const post = await second.createPost('community', community.communityId, 'Which net?');
    const reference = { referenceType: 'post', referenceId: post.postId };
    const theirs = await second.createComment('post', post.postId, 'The fine one');
    let own: Json;
    await step('creates a comment', async () => {
      ({ data: own } = await CommentRepository.createComment({ ...reference, data: { text: 'The coarse one' } }));
      assert.equal(own.data.text, 'The coarse one');
    });
    await step('creates a reply', async () => {
      const { data } = await CommentRepository.createComment({
        ...reference,
        parentId: theirs.commentId,
        data: { text: 'Why?' },
      });
      assert.equal(data.parentId, theirs.commentId);
    });
    await step('creates a comment that mentions a user', async () => {
      const { data } = await CommentRepository.createComment({
        ...reference,
        data: { text: '@Ben' },
        mentionees: [{ type: 'user', userIds: [second.userId] }],
      });
      assert.deepEqual(data.mentionees[0].userIds, [second.userId]);
    });
    await step('creates a comment with an image', async () => {
      const { data: files } = await sdk.FileRepository.uploadImage(image());
      const attachments = [{ type: 'image', fileId: files[0].fileId }];
      const { data } = await CommentRepository.createComment({ ...reference, data: { text: '' }, attachments });
      assert.equal(data.attachments[0].fileId, files[0].fileId);
    });
    await step('displays a comment', async () => {
      const live = display((callback) => CommentRepository.getComment(theirs.commentId, callback));
      assert.equal((await live.loaded()).data.text, 'The fine one');
    });
    await step('reads comments by their ids', async () => {
      const { data } = await CommentRepository.getCommentByIds([theirs.commentId]);
      assert.deepEqual(ids(data), [theirs.commentId]);
    });
    await step('displays the comments of a post', async () => {
      const live = display((callback) => CommentRepository.getComments({ ...reference, limit: 10 }, callback));
      await live.until('two comments were expected', (data) =>
        [own, theirs].every((one) => ids(data).includes(one.commentId)),
      );
    });
    await step('displays the replies to a comment', async () => {
      const other = await second.createPost('community', community.communityId, 'Which rope?');
      const { commentId: parentId } = await second.createComment('post', other.postId, 'Hemp');
      await second.createComment('post', other.postId, 'Or wire', { parentId });
      const params = { referenceType: 'post', referenceId: other.postId, parentId, limit: 10 };
      const live = display((callback) => CommentRepository.getComments(params, callback));
      await live.until('one reply was expected', (data) => data.length === 1);
    });
    await step('displays the next page of comments', async () => {
      const other = await second.createPost('community', community.communityId, 'Count');
      for (let number = 0; number < 8; number++) await second.createComment('post', other.postId, `${number}`);
      const params = { referenceType: 'post', referenceId: other.postId, limit: 2, sortBy: 'firstCreated' };
      const live = display((callback) => CommentRepository.getComments(params, callback));
      const { length } = await live.until(
        'a first page was expected',
        (data) => data.length >= 2 && live.now!.hasNextPage,
      );
      live.now!.onNextPage!();
      await live.until('a second page was expected', (data) => data.length > length);
    });
    await step('edits a comment', async () => {
      const { data } = await CommentRepository.updateComment(own.commentId, { data: { text: 'None' } });
      assert.equal(data.data.text, 'None');
    });
    const subscribeToPost = () => subscribe(sdk.getPostTopic(post, sdk.SubscriptionLevels.COMMENT));
    await step('displays a comment that a second user writes', async () => {
      const live = display((callback) => CommentRepository.getComments({ ...reference, limit: 10 }, callback));
      await live.loaded();
      await subscribeToPost();
      const { commentId } = await second.createComment('post', post.postId, 'Both');
      await live.until('the new comment was expected', (data) => ids(data).includes(commentId));
    });
    await step('displays the edit of a comment by a second user', async () => {
      const live = display((callback) => CommentRepository.getComment(theirs.commentId, callback));
      await live.loaded();
      await subscribeToPost();
      await second.put(`/api/v3/comments/${theirs.commentId}`, { data: { text: 'The finest' } });
      await live.until('the edit was expected', (data) => data.data.text === 'The finest');
    });
    await step('displays a reaction to a comment', async () => {
      const live = display((callback) => CommentRepository.getComment(theirs.commentId, callback));
      await live.loaded();
      await subscribeToPost();
      const reaction = { referenceType: 'comment', referenceId: theirs.commentId, reactionName: 'fish' };
      await second.post('/api/v2/reactions', reaction);
      await live.until('the reaction was expected', (data) => data.reactions?.fish === 1);
    });
    await step('reports a comment', async () => {
      assert.equal(await CommentRepository.flagComment(theirs.commentId), true);
    });
    await step('knows that it reported a comment', async () => {
      assert.equal(await CommentRepository.isCommentFlaggedByMe(theirs.commentId), true);
    });
    await step('withdraws the report of a comment', async () => {
      assert.equal(await CommentRepository.unflagComment(theirs.commentId), true);
    });
    await step('reports a comment by the general function', async () => {
      assert.equal(await sdk.createReport('comment', theirs.commentId), true);
      assert.equal(await sdk.isReportedByMe('comment', theirs.commentId), true);
      assert.equal(await sdk.deleteReport('comment', theirs.commentId), true);
    });
    await step('deletes a comment', async () => {
      const deleted = await CommentRepository.softDeleteComment(own.commentId);
      assert.equal(deleted.isDeleted, true);
    });
    const moderator = { roles: ['community-moderator'], userIds: [userId] };
    await second.post(`/api/v4/communities/${community.communityId}/users/roles`, moderator);
    await step('deletes a comment for good', async () => {
      const { data } = await CommentRepository.createComment({ ...reference, data: { text: 'Nothing' } });
      assert.ok(await CommentRepository.hardDeleteComment(data.commentId));
    });
  },
};
