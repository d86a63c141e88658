import { addPost, isBanned, isMember, MOST, moderates, pickReaction, react, seesPost } from '../model.ts';
import { type Acts, agree, changing, livePost } from './deed.ts';

export const POSTS: Acts = {
  async posts(model, real, { who, what }) {
    if (model.posts.length >= MOST.posts) return;
    const expected = isMember(model, who) ? 'done' : isBanned(model, who) ? 'BANNED' : 'FORBIDDEN';
    const text = `Post ${what}`;
    const input = { targetType: 'COMMUNITY', targetId: real.communityId, data: { text } };
    const made = await agree(real, expected, [who, 'createPost', input, 'post { postId }']);
    if (expected !== 'done') return;
    addPost(model, { author: who, text, poll: null });
    real.posts.push({ postId: made.post.postId, poll: null, comments: [] });
  },

  async edits(model, real, deed) {
    const { who, what } = deed;
    const found = livePost(model, deed);
    if (!found) return;
    const { post, place } = found;
    const isHeld = post.state === 'reviewing' && !moderates(model, who);
    const changed = changing(model, who, post, seesPost(model, who, post));
    const expected = changed === 'done' && isHeld ? 'FORBIDDEN' : changed;
    const text = `Edited ${what}`;
    await agree(real, expected, [who, 'updatePost', { postId: real.posts[place]!.postId, data: { text } }]);
    if (expected === 'done') Object.assign(post, { text, isEdited: true });
  },

  async deletes(model, real, deed) {
    const found = livePost(model, deed);
    if (!found) return;
    const { post, place } = found;
    const expected = changing(model, deed.who, post, seesPost(model, deed.who, post));
    await agree(real, expected, [deed.who, 'deletePost', { postId: real.posts[place]!.postId }]);
    if (expected === 'done') post.isDeleted = true;
  },

  async reviews(model, real, deed) {
    const { who, what } = deed;
    const found = livePost(model, deed);
    if (!found) return;
    const { post, place } = found;
    const isApproving = what % 3 !== 0;
    const isWaiting = post.state === 'reviewing';
    const mayReview = moderates(model, who) ? (isWaiting ? 'done' : 'BAD_REQUEST') : 'PERMISSION_DENIED';
    const expected = seesPost(model, who, post) ? mayReview : 'NOT_FOUND';
    const { postId } = real.posts[place]!;
    await agree(real, expected, [who, isApproving ? 'approvePost' : 'declinePost', { postId }]);
    if (expected === 'done') post.state = isApproving ? 'published' : 'declined';
  },

  async reacts(model, real, deed) {
    const { who, what } = deed;
    const found = livePost(model, deed);
    if (!found) return;
    const { post, place } = found;
    const reactionName = pickReaction(what);
    const has = post.reactions.get(reactionName)?.has(who) ?? false;
    const isOpen = has || post.state === 'published';
    const expected = seesPost(model, who, post) ? (isOpen ? 'done' : 'BAD_REQUEST') : 'NOT_FOUND';
    const input = { referenceType: 'POST', referenceId: real.posts[place]!.postId, reactionName };
    // The second time it is taken back.
    await agree(real, expected, [who, has ? 'removeReaction' : 'addReaction', input]);
    if (expected !== 'done') return;
    if (has) post.reactions.get(reactionName)!.delete(who);
    else react(post, reactionName, who);
  },

  async flags(model, real, deed) {
    const { who } = deed;
    const found = livePost(model, deed);
    if (!found) return;
    const { post, place } = found;
    const has = post.flags.has(who);
    const expected = seesPost(model, who, post) ? 'done' : 'NOT_FOUND';
    await agree(real, expected, [who, has ? 'unflagPost' : 'flagPost', { postId: real.posts[place]!.postId }]);
    if (expected !== 'done') return;
    if (has) post.flags.delete(who);
    else post.flags.add(who);
  },

  async forgives(model, real, deed) {
    const { who } = deed;
    const found = livePost(model, deed);
    if (!found) return;
    const { post, place } = found;
    const allowed = moderates(model, who) ? 'done' : 'PERMISSION_DENIED';
    const expected = seesPost(model, who, post) ? allowed : 'NOT_FOUND';
    await agree(real, expected, [who, 'clearPostFlags', { postId: real.posts[place]!.postId }]);
    if (expected === 'done') post.flags.clear();
  },
};
