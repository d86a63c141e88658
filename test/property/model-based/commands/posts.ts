import { addPost, isBanned, isMember, MAX_RECORDS, moderates, pickReaction, react, seesPost } from '../model.ts';
import { type Commands, changeOutcome, existingPost, mutateAndExpect } from './command.ts';

export const POSTS: Commands = {
  async createsPost(model, real, { actor, value }) {
    if (model.posts.length >= MAX_RECORDS.posts) return;
    const expected = isMember(model, actor) ? 'done' : isBanned(model, actor) ? 'BANNED' : 'FORBIDDEN';
    const text = `Post ${value}`;
    const input = { targetType: 'COMMUNITY', targetId: real.communityId, data: { text } };
    const created = await mutateAndExpect(real, expected, [actor, 'createPost', input, 'post { postId }']);
    if (expected !== 'done') return;
    addPost(model, { author: actor, text, poll: null });
    real.posts.push({ postId: created.post.postId, poll: null, comments: [] });
  },

  async editsPost(model, real, args) {
    const { actor, value } = args;
    const found = existingPost(model, args);
    if (!found) return;
    const { post, place } = found;
    const isInReview = post.state === 'reviewing' && !moderates(model, actor);
    const changed = changeOutcome(model, actor, post, seesPost(model, actor, post));
    const expected = changed === 'done' && isInReview ? 'FORBIDDEN' : changed;
    const text = `Edited ${value}`;
    await mutateAndExpect(real, expected, [actor, 'updatePost', { postId: real.posts[place]!.postId, data: { text } }]);
    if (expected === 'done') Object.assign(post, { text, isEdited: true });
  },

  async deletesPost(model, real, args) {
    const found = existingPost(model, args);
    if (!found) return;
    const { post, place } = found;
    const expected = changeOutcome(model, args.actor, post, seesPost(model, args.actor, post));
    await mutateAndExpect(real, expected, [args.actor, 'deletePost', { postId: real.posts[place]!.postId }]);
    if (expected === 'done') post.isDeleted = true;
  },

  async reviewsPost(model, real, args) {
    const { actor, value } = args;
    const found = existingPost(model, args);
    if (!found) return;
    const { post, place } = found;
    const isApproving = value % 3 !== 0;
    const isWaiting = post.state === 'reviewing';
    const mayReview = moderates(model, actor) ? (isWaiting ? 'done' : 'BAD_REQUEST') : 'PERMISSION_DENIED';
    const expected = seesPost(model, actor, post) ? mayReview : 'NOT_FOUND';
    const { postId } = real.posts[place]!;
    await mutateAndExpect(real, expected, [actor, isApproving ? 'approvePost' : 'declinePost', { postId }]);
    if (expected === 'done') post.state = isApproving ? 'published' : 'declined';
  },

  async reactsToPost(model, real, args) {
    const { actor, value } = args;
    const found = existingPost(model, args);
    if (!found) return;
    const { post, place } = found;
    const reactionName = pickReaction(value);
    const has = post.reactions.get(reactionName)?.has(actor) ?? false;
    const isOpen = has || post.state === 'published';
    const expected = seesPost(model, actor, post) ? (isOpen ? 'done' : 'BAD_REQUEST') : 'NOT_FOUND';
    const input = { referenceType: 'POST', referenceId: real.posts[place]!.postId, reactionName };
    // The second flag removes the first.
    await mutateAndExpect(real, expected, [actor, has ? 'removeReaction' : 'addReaction', input]);
    if (expected !== 'done') return;
    if (has) post.reactions.get(reactionName)!.delete(actor);
    else react(post, reactionName, actor);
  },

  async flagsPost(model, real, args) {
    const { actor } = args;
    const found = existingPost(model, args);
    if (!found) return;
    const { post, place } = found;
    const has = post.flags.has(actor);
    const expected = seesPost(model, actor, post) ? 'done' : 'NOT_FOUND';
    await mutateAndExpect(real, expected, [
      actor,
      has ? 'unflagPost' : 'flagPost',
      { postId: real.posts[place]!.postId },
    ]);
    if (expected !== 'done') return;
    if (has) post.flags.delete(actor);
    else post.flags.add(actor);
  },

  async clearsFlags(model, real, args) {
    const { actor } = args;
    const found = existingPost(model, args);
    if (!found) return;
    const { post, place } = found;
    const allowed = moderates(model, actor) ? 'done' : 'PERMISSION_DENIED';
    const expected = seesPost(model, actor, post) ? allowed : 'NOT_FOUND';
    await mutateAndExpect(real, expected, [actor, 'clearPostFlags', { postId: real.posts[place]!.postId }]);
    if (expected === 'done') post.flags.clear();
  },
};
