import { MAX_RECORDS, type Model, pickReaction, react, seesPost } from '../model.ts';
import {
  type CommandArguments,
  type Commands,
  changeOutcome,
  existingPost,
  mutateAndExpect,
  pick,
  places,
} from './command.ts';

/** The comment that the arguments select, under an existing post. */
function commentOf(model: Model, args: CommandArguments) {
  const found = existingPost(model, args);
  const index = pick(places(found?.post.comments ?? []), args.nested);
  const comment = found?.post.comments[index ?? -1];
  return found && comment ? { ...found, comment, index: index! } : null;
}

export const COMMENTS: Commands = {
  async createsComment(model, real, args) {
    const { actor, nested, value } = args;
    const found = existingPost(model, args);
    if (!found || found.post.comments.length >= MAX_RECORDS.comments) return;
    const { post, place } = found;
    const known = real.posts[place]!;
    const tops = places(post.comments).filter(
      (index) => post.comments[index]!.parent === null && !post.comments[index]!.isDeleted,
    );
    const parent = nested % 2 === 0 ? null : (pick(tops, nested) ?? null);
    const isOpen = post.state === 'published' ? 'done' : 'BAD_REQUEST';
    const expected = seesPost(model, actor, post) ? isOpen : 'NOT_FOUND';
    const text = `Comment ${value}`;
    const input = {
      referenceType: 'POST',
      referenceId: known.postId,
      data: { text },
      ...(parent !== null && { parentId: known.comments[parent] }),
    };
    const created = await mutateAndExpect(real, expected, [actor, 'createComment', input, 'comment { commentId }']);
    if (expected !== 'done') return;
    post.comments.push({
      author: actor,
      text,
      parent,
      segment: post.comments.length + 1,
      isEdited: false,
      isDeleted: false,
      reactions: new Map(),
    });
    known.comments.push(created.comment.commentId);
  },

  async editsComment(model, real, args) {
    const { actor, value } = args;
    const found = commentOf(model, args);
    if (!found || found.comment.isDeleted) return;
    const { post, place, comment, index } = found;
    const expected = changeOutcome(model, actor, comment, seesPost(model, actor, post));
    const text = `Reworded ${value}`;
    const commentId = real.posts[place]!.comments[index];
    await mutateAndExpect(real, expected, [actor, 'updateComment', { commentId, data: { text } }]);
    if (expected === 'done') Object.assign(comment, { text, isEdited: true });
  },

  async deletesComment(model, real, args) {
    const found = commentOf(model, args);
    if (!found || found.comment.isDeleted) return;
    const { post, place, comment, index } = found;
    const expected = changeOutcome(model, args.actor, comment, seesPost(model, args.actor, post));
    await mutateAndExpect(real, expected, [
      args.actor,
      'deleteComment',
      { commentId: real.posts[place]!.comments[index] },
    ]);
    if (expected === 'done') comment.isDeleted = true;
  },

  async reactsToComment(model, real, args) {
    const { actor, value } = args;
    const found = commentOf(model, args);
    if (!found) return;
    const { post, place, comment, index } = found;
    const reactionName = pickReaction(value);
    const expected = !seesPost(model, actor, post) || comment.isDeleted ? 'NOT_FOUND' : 'done';
    const input = { referenceType: 'COMMENT', referenceId: real.posts[place]!.comments[index], reactionName };
    await mutateAndExpect(real, expected, [actor, 'addReaction', input]);
    if (expected === 'done') react(comment, reactionName, actor);
  },
};
