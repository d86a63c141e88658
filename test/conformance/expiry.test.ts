import { afterEach, beforeEach, expect, test } from 'vitest';
import { findInconsistencies } from '../support/consistency.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { ask, mutations } from '../support/mutate.ts';

/** Records that end at a time: no job changes them, their state depends on the gateway's clock only. */
let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway();
});
afterEach(async () => {
  expect(await findInconsistencies(gateway.services.store.db)).toEqual([]);
  await gateway.close();
});

const HOUR = 3_600_000;
const change = mutations(() => gateway);
/** Moves the gateway's clock forward. */
function wait(hours: number): void {
  const { now } = gateway.services;
  gateway.services.now = () => new Date(now().getTime() + hours * HOUR);
}

test('a poll accepts votes until it closes', async () => {
  const input = { question: 'Which?', answers: [{ data: 'A' }, { data: 'B' }], closedIn: 2 * HOUR };
  const { poll } = await change('bob', 'createPoll', input, 'poll { pollId answers { answerId } }');
  const { pollId } = poll;
  const post = { targetType: 'COMMUNITY', targetId: 'gardeners', dataType: 'poll', data: { pollId } };
  await change('bob', 'createPost', post, 'post { postId }');
  const select = 'poll { status answers { voteCount } }';
  const vote = { pollId, answerIds: [poll.answers[0].answerId] };
  const read = async () =>
    (await ask(gateway, `{ poll(pollId: "${pollId}") { status viewerCanVote isVoted } }`, { as: 'carol' })).poll;
  expect(await read()).toEqual({ status: 'OPEN', viewerCanVote: true, isVoted: false });
  wait(1.9);
  expect((await change('alice', 'votePoll', vote, select)).poll.answers[0].voteCount).toBe(1);
  wait(0.2);
  expect(await read()).toEqual({ status: 'CLOSED', viewerCanVote: false, isVoted: false });
  expect(await change('carol', 'votePoll', vote, select)).toMatchObject({ code: 'BAD_REQUEST' });
  expect(await change('alice', 'unvotePoll', { pollId }, select)).toMatchObject({ code: 'BAD_REQUEST' });
  expect(await change('bob', 'updatePoll', { pollId, title: 'Late' }, select)).toMatchObject({ code: 'BAD_REQUEST' });
  expect((await change('bob', 'closePoll', { pollId }, select)).poll.status).toBe('CLOSED');
  expect((await gateway.rest(`/api/v3/polls/${pollId}`, { as: 'carol' })).body.polls[0].status).toBe('closed');
});

test('a story is visible until it expires, then to its creator only', async () => {
  const where = { targetType: 'COMMUNITY', targetId: 'harvest-fair' };
  const created = await change(
    'admin',
    'createStory',
    { ...where, dataType: 'TEXT', data: { text: 'x' } },
    'story { storyId }',
  );
  const { storyId } = created.story;
  const byTargets = '/api/v4/stories-by-targets?targets[0][targetType]=community&targets[0][targetId]=harvest-fair';
  const shown = async (as: string) => {
    const list = await gateway.rest('/api/v4/stories?targetType=community&targetId=harvest-fair', { as });
    const several = await gateway.rest(byTargets, { as });
    const one = await gateway.rest(`/api/v4/stories/${storyId}`, { as });
    const targets = await gateway.rest('/api/v5/me/global-story-targets?seenState=all', { as });
    const names = (stories: Array<{ storyId: string }>) => stories.some((story) => story.storyId === storyId);
    const isTarget = targets.body.storyTargets.some(
      ({ targetId }: { targetId: string }) => targetId === 'harvest-fair',
    );
    return [names(list.body.stories), names(several.body.stories), one.status, isTarget];
  };
  await change(
    'alice',
    'addReaction',
    { referenceType: 'STORY', referenceId: storyId, reactionName: 'sun' },
    'reaction { reactionId }',
  );
  expect(await shown('alice')).toEqual([true, true, 200, true]);
  wait(23.9);
  expect(await shown('alice')).toEqual([true, true, 200, true]);
  wait(0.2);
  expect((await shown('alice')).slice(0, 3)).toEqual([false, false, 404]);
  expect((await shown('admin')).slice(0, 3)).toEqual([false, false, 200]);
  const reaction = { referenceType: 'STORY', referenceId: storyId, reactionName: 'late' };
  expect(await change('alice', 'addReaction', reaction, 'reaction { reactionId }')).toMatchObject({
    code: 'NOT_FOUND',
  });
  expect(await change('alice', 'markStorySeen', { storyId }, 'story { storyId }')).toMatchObject({ code: 'NOT_FOUND' });
  const comment = { referenceType: 'STORY', referenceId: storyId, data: { text: 'Late' } };
  for (const as of ['alice', 'admin']) {
    expect(await change(as, 'createComment', comment, 'comment { commentId }')).toMatchObject({ code: 'NOT_FOUND' });
  }
});
