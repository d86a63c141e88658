import { addPost, isMember, MOST, type Model, type Person, type PostModel, seesPost } from '../model.ts';
import { type Acts, agree, type Deed, pick, places } from './deed.ts';

/** A poll that a post shows, also when the post is gone. */
function pollOf({ posts }: Model, { which }: Deed) {
  const place = pick(
    places(posts).filter((index) => posts[index]!.poll !== null),
    which,
  );
  return place === undefined ? null : { place, post: posts[place]!, poll: posts[place]!.poll! };
}

/** Its maker does also when the post is hidden from them. */
const seesPoll = (model: Model, who: Person, post: PostModel): boolean =>
  post.author === who || seesPost(model, who, post);

export const POLLS: Acts = {
  async asks(model, real, { who, what }) {
    if (!isMember(model, who) || model.posts.length >= MOST.posts) return;
    const question = `Question ${what}`;
    const isMultiple = what % 2 === 0;
    const { poll } = await agree(real, 'done', [
      who,
      'createPoll',
      { question, answerType: isMultiple ? 'MULTIPLE' : 'SINGLE', answers: [{ data: 'Peas' }, { data: 'Beets' }] },
      'poll { pollId answers { answerId } }',
    ]);
    const { post } = await agree(real, 'done', [
      who,
      'createPost',
      {
        targetType: 'COMMUNITY',
        targetId: real.communityId,
        dataType: 'poll',
        data: { pollId: poll.pollId, text: question },
      },
      'post { postId }',
    ]);
    addPost(model, { author: who, text: question, poll: { isMultiple, isClosed: false, votes: new Map() } });
    const answerIds = poll.answers.map(({ answerId }: { answerId: string }) => answerId);
    real.posts.push({ postId: post.postId, poll: { pollId: poll.pollId, answerIds }, comments: [] });
  },

  async votes(model, real, deed) {
    const { who, what } = deed;
    const found = pollOf(model, deed);
    if (!found || found.post.isDeleted) return;
    const { post, poll, place } = found;
    const { pollId, answerIds } = real.posts[place]!.poll!;
    const chosen = what % 3 === 2 ? [0, 1] : [what % 3];
    const fits = chosen.length === 1 || poll.isMultiple;
    const vote = poll.votes.has(who) ? 'DUPLICATE' : 'done';
    const open = poll.isClosed ? 'BAD_REQUEST' : fits ? vote : 'INVALID_PARAMETERS';
    const expected = seesPoll(model, who, post) ? open : 'NOT_FOUND';
    await agree(real, expected, [who, 'votePoll', { pollId, answerIds: chosen.map((index) => answerIds[index]) }]);
    if (expected === 'done') poll.votes.set(who, chosen);
  },

  async takesBackVote(model, real, deed) {
    const { who } = deed;
    const found = pollOf(model, deed);
    if (!found || found.post.isDeleted) return;
    const { post, poll, place } = found;
    const open = poll.isClosed ? 'BAD_REQUEST' : poll.votes.has(who) ? 'done' : 'NOT_FOUND';
    const expected = seesPoll(model, who, post) ? open : 'NOT_FOUND';
    await agree(real, expected, [who, 'unvotePoll', { pollId: real.posts[place]!.poll!.pollId }]);
    if (expected === 'done') poll.votes.delete(who);
  },

  async closesPoll(model, real, deed) {
    const found = pollOf(model, deed);
    if (!found || found.post.isDeleted || found.poll.isClosed) return;
    const { post, poll, place } = found;
    const expected =
      deed.who === post.author ? 'done' : seesPost(model, deed.who, post) ? 'PERMISSION_DENIED' : 'NOT_FOUND';
    await agree(real, expected, [deed.who, 'closePoll', { pollId: real.posts[place]!.poll!.pollId }]);
    if (expected === 'done') poll.isClosed = true;
  },
};
