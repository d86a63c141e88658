import { MOST, type Model, pickReaction, react, seesPost } from '../model.ts';
import { type Acts, agree, changing, type Deed, livePost, pick, places } from './deed.ts';

/** The comment of a deed, under a post that lives. */
function commentOf(model: Model, deed: Deed) {
  const found = livePost(model, deed);
  const index = pick(places(found?.post.comments ?? []), deed.inner);
  const comment = found?.post.comments[index ?? -1];
  return found && comment ? { ...found, comment, index: index! } : null;
}

export const COMMENTS: Acts = {
  async comments(model, real, deed) {
    const { who, inner, what } = deed;
    const found = livePost(model, deed);
    if (!found || found.post.comments.length >= MOST.comments) return;
    const { post, place } = found;
    const known = real.posts[place]!;
    const tops = places(post.comments).filter(
      (index) => post.comments[index]!.parent === null && !post.comments[index]!.isDeleted,
    );
    const parent = inner % 2 === 0 ? null : (pick(tops, inner) ?? null);
    const isOpen = post.state === 'published' ? 'done' : 'BAD_REQUEST';
    const expected = seesPost(model, who, post) ? isOpen : 'NOT_FOUND';
    const text = `Comment ${what}`;
    const input = {
      referenceType: 'POST',
      referenceId: known.postId,
      data: { text },
      ...(parent !== null && { parentId: known.comments[parent] }),
    };
    const made = await agree(real, expected, [who, 'createComment', input, 'comment { commentId }']);
    if (expected !== 'done') return;
    post.comments.push({
      author: who,
      text,
      parent,
      segment: post.comments.length + 1,
      isEdited: false,
      isDeleted: false,
      reactions: new Map(),
    });
    known.comments.push(made.comment.commentId);
  },

  async rewordsComment(model, real, deed) {
    const { who, what } = deed;
    const found = commentOf(model, deed);
    if (!found || found.comment.isDeleted) return;
    const { post, place, comment, index } = found;
    const expected = changing(model, who, comment, seesPost(model, who, post));
    const text = `Reworded ${what}`;
    const commentId = real.posts[place]!.comments[index];
    await agree(real, expected, [who, 'updateComment', { commentId, data: { text } }]);
    if (expected === 'done') Object.assign(comment, { text, isEdited: true });
  },

  async takesBackComment(model, real, deed) {
    const found = commentOf(model, deed);
    if (!found || found.comment.isDeleted) return;
    const { post, place, comment, index } = found;
    const expected = changing(model, deed.who, comment, seesPost(model, deed.who, post));
    await agree(real, expected, [deed.who, 'deleteComment', { commentId: real.posts[place]!.comments[index] }]);
    if (expected === 'done') comment.isDeleted = true;
  },

  async reactsToComment(model, real, deed) {
    const { who, what } = deed;
    const found = commentOf(model, deed);
    if (!found) return;
    const { post, place, comment, index } = found;
    const reactionName = pickReaction(what);
    const expected = !seesPost(model, who, post) || comment.isDeleted ? 'NOT_FOUND' : 'done';
    const input = { referenceType: 'COMMENT', referenceId: real.posts[place]!.comments[index], reactionName };
    await agree(real, expected, [who, 'addReaction', input]);
    if (expected === 'done') react(comment, reactionName, who);
  },
};
