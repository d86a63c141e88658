import { addPost, isMember, MAX_RECORDS, type Model, type Person, type PostModel, seesPost } from '../model.ts';
import { type CommandArguments, type Commands, mutateAndExpect, pick, places } from './command.ts';

/** The poll of a post, also of a deleted one. */
function pollOf({ posts }: Model, { target }: CommandArguments) {
  const place = pick(
    places(posts).filter((index) => posts[index]!.poll !== null),
    target,
  );
  return place === undefined ? null : { place, post: posts[place]!, poll: posts[place]!.poll! };
}

/** The author of a poll sees it also when the post is hidden from them. */
const seesPoll = (model: Model, actor: Person, post: PostModel): boolean =>
  post.author === actor || seesPost(model, actor, post);

export const POLLS: Commands = {
  async createsPoll(model, real, { actor, value }) {
    if (!isMember(model, actor) || model.posts.length >= MAX_RECORDS.posts) return;
    const question = `Question ${value}`;
    const isMultiple = value % 2 === 0;
    const { poll } = await mutateAndExpect(real, 'done', [
      actor,
      'createPoll',
      { question, answerType: isMultiple ? 'MULTIPLE' : 'SINGLE', answers: [{ data: 'Peas' }, { data: 'Beets' }] },
      'poll { pollId answers { answerId } }',
    ]);
    const { post } = await mutateAndExpect(real, 'done', [
      actor,
      'createPost',
      {
        targetType: 'COMMUNITY',
        targetId: real.communityId,
        dataType: 'poll',
        data: { pollId: poll.pollId, text: question },
      },
      'post { postId }',
    ]);
    addPost(model, { author: actor, text: question, poll: { isMultiple, isClosed: false, votes: new Map() } });
    const answerIds = poll.answers.map(({ answerId }: { answerId: string }) => answerId);
    real.posts.push({ postId: post.postId, poll: { pollId: poll.pollId, answerIds }, comments: [] });
  },

  async votes(model, real, args) {
    const { actor, value } = args;
    const found = pollOf(model, args);
    if (!found || found.post.isDeleted) return;
    const { post, poll, place } = found;
    const { pollId, answerIds } = real.posts[place]!.poll!;
    const chosen = value % 3 === 2 ? [0, 1] : [value % 3];
    const isAllowedChoice = chosen.length === 1 || poll.isMultiple;
    const vote = poll.votes.has(actor) ? 'DUPLICATE' : 'done';
    const open = poll.isClosed ? 'BAD_REQUEST' : isAllowedChoice ? vote : 'INVALID_PARAMETERS';
    const expected = seesPoll(model, actor, post) ? open : 'NOT_FOUND';
    await mutateAndExpect(real, expected, [
      actor,
      'votePoll',
      { pollId, answerIds: chosen.map((index) => answerIds[index]) },
    ]);
    if (expected === 'done') poll.votes.set(actor, chosen);
  },

  async withdrawsVote(model, real, args) {
    const { actor } = args;
    const found = pollOf(model, args);
    if (!found || found.post.isDeleted) return;
    const { post, poll, place } = found;
    const open = poll.isClosed ? 'BAD_REQUEST' : poll.votes.has(actor) ? 'done' : 'NOT_FOUND';
    const expected = seesPoll(model, actor, post) ? open : 'NOT_FOUND';
    await mutateAndExpect(real, expected, [actor, 'unvotePoll', { pollId: real.posts[place]!.poll!.pollId }]);
    if (expected === 'done') poll.votes.delete(actor);
  },

  async closesPoll(model, real, args) {
    const found = pollOf(model, args);
    if (!found || found.post.isDeleted || found.poll.isClosed) return;
    const { post, poll, place } = found;
    const expected =
      args.actor === post.author ? 'done' : seesPost(model, args.actor, post) ? 'PERMISSION_DENIED' : 'NOT_FOUND';
    await mutateAndExpect(real, expected, [args.actor, 'closePoll', { pollId: real.posts[place]!.poll!.pollId }]);
    if (expected === 'done') poll.isClosed = true;
  },
};
