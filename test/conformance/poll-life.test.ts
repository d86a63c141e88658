import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectConsistent } from '../support/consistency.ts';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { ask, mutate } from '../support/mutate.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestNetwork();
});
afterAll(async () => {
  await expectConsistent(gateway);
  await gateway.close();
});

const SELECT = `poll { pollId title question answerType status isVoted closedIn closedAt createdAt viewerCanEdit viewerCanDelete viewerCanVote
  answers { answerId dataType data fileId voteCount isVotedByUser } }`;
const poll = (input: object = {}, as = 'bob') =>
  mutate(
    gateway,
    'createPoll',
    { question: 'Which?', answers: [{ data: 'A' }, { data: 'B' }], ...input },
    { select: SELECT, as },
  );
/** A poll in the gardeners' community. */
async function shown(input: object = {}) {
  const { poll: created } = await poll(input);
  const post = { targetType: 'COMMUNITY', targetId: 'gardeners', dataType: 'poll', data: { pollId: created.pollId } };
  await mutate(gateway, 'createPost', post, { select: 'post { postId }', as: 'bob' });
  return created as { pollId: string; answers: Array<{ answerId: string }> };
}
const vote = (pollId: string, answerIds: string[], as: string) =>
  mutate(gateway, 'votePoll', { pollId, answerIds }, { select: SELECT, as });
const mutatePoll = (operation: string, pollId: string, as = 'bob', input = {}) =>
  mutate(gateway, operation, { pollId, ...input }, { select: SELECT, as });

test('creates a poll with its answers, visible to its creator only until a post contains it', async () => {
  const answers = [{ data: 'Peas' }, { fileId: 'tomatoes-red', data: 'Tomatoes' }];
  const { poll: created } = await poll({ title: 'Bed', answers, answerType: 'MULTIPLE', closedIn: 3_600_000 });
  expect(created).toMatchObject({
    title: 'Bed',
    question: 'Which?',
    answerType: 'MULTIPLE',
    status: 'OPEN',
    isVoted: false,
    closedIn: 3_600_000,
    viewerCanEdit: true,
    viewerCanVote: true,
  });
  expect(created.answers).toMatchObject([
    { dataType: 'TEXT', data: 'Peas', fileId: null, voteCount: 0 },
    { dataType: 'IMAGE', data: 'Tomatoes', fileId: 'tomatoes-red', voteCount: 0 },
  ]);
  expect(Date.parse(created.closedAt) - Date.parse(created.createdAt)).toBe(3_600_000);
  const seen = async (as: string) =>
    (await ask(gateway, `{ poll(pollId: "${created.pollId}") { pollId } }`, { as })).poll;
  expect([await seen('bob'), await seen('carol')]).toEqual([{ pollId: created.pollId }, null]);
  const post = { targetType: 'COMMUNITY', targetId: 'gardeners', dataType: 'poll', data: { pollId: created.pollId } };
  await mutate(gateway, 'createPost', post, { select: 'post { postId }', as: 'bob' });
  expect([await seen('carol'), await seen('dave')]).toEqual([{ pollId: created.pollId }, null]);
});

test('each user has one vote for one answer and may withdraw it until the poll closes', async () => {
  const { pollId, answers } = await shown();
  const [a, b] = answers.map(({ answerId }) => answerId) as [string, string];
  const { poll: voted } = await vote(pollId, [a], 'carol');
  expect(voted).toMatchObject({
    isVoted: true,
    viewerCanVote: false,
    answers: [{ voteCount: 1, isVotedByUser: true }, { voteCount: 0 }],
  });
  expect(await vote(pollId, [b], 'carol')).toMatchObject({ code: 'DUPLICATE' });
  expect(await vote(pollId, [a, b], 'alice')).toMatchObject({ code: 'INVALID_PARAMETERS', path: ['answerIds'] });
  expect(await vote(pollId, ['none'], 'alice')).toMatchObject({ code: 'INVALID_PARAMETERS' });
  expect(await vote(pollId, [], 'alice')).toMatchObject({ code: 'INVALID_PARAMETERS' });
  expect(await vote(pollId, [a], 'dave')).toMatchObject({ code: 'NOT_FOUND' });
  expect(await mutatePoll('unvotePoll', pollId, 'alice')).toMatchObject({ code: 'NOT_FOUND' });
  expect((await mutatePoll('unvotePoll', pollId, 'carol')).poll).toMatchObject({
    isVoted: false,
    answers: [{ voteCount: 0 }, { voteCount: 0 }],
  });
  expect((await vote(pollId, [b], 'carol')).poll.answers).toMatchObject([{ voteCount: 0 }, { voteCount: 1 }]);
});

test('a vote can be replaced and withdrawn in one request, and repeating the request changes nothing', async () => {
  const { pollId, answers } = await shown();
  const [a, b] = answers.map(({ answerId }) => answerId) as [string, string];
  const change = (answerIds: string[], as = 'carol') =>
    gateway.rest(`/api/v3/polls/${pollId}/votes`, { as, method: 'PUT', body: { pollId, answerIds } });
  const counts = async (answerIds: string[]) => {
    const { status, body } = await change(answerIds);
    expect(status).toBe(200);
    return [body.polls[0].isVoted, ...body.polls[0].answers.map((one: { voteCount: number }) => one.voteCount)];
  };
  expect(await counts([a])).toEqual([true, 1, 0]);
  expect(await counts([b])).toEqual([true, 0, 1]);
  expect(await counts([b])).toEqual([true, 0, 1]);
  expect(await counts([])).toEqual([false, 0, 0]);
  expect(await counts([])).toEqual([false, 0, 0]);
  expect((await change([a, b])).status).toBe(422);
  expect((await change([a], 'dave')).status).toBe(404);
  await mutatePoll('closePoll', pollId);
  expect((await change([a])).status).toBe(400);
});

test('counts several answers per vote where the poll allows them', async () => {
  const { pollId, answers } = await shown({
    answerType: 'MULTIPLE',
    answers: [{ data: 'A' }, { data: 'B' }, { data: 'C' }],
  });
  const [a, , c] = answers.map(({ answerId }) => answerId);
  expect((await vote(pollId, [a!, c!, a!], 'carol')).poll.answers).toMatchObject([
    { voteCount: 1 },
    { voteCount: 0 },
    { voteCount: 1 },
  ]);
});

test('a closed or expired poll accepts no votes', async () => {
  const { pollId, answers } = await shown();
  await vote(pollId, [answers[0]!.answerId], 'carol');
  expect(await mutatePoll('closePoll', pollId, 'carol')).toMatchObject({ code: 'PERMISSION_DENIED' });
  const { poll: closed } = await mutatePoll('closePoll', pollId);
  expect([closed.status, closed.viewerCanVote]).toEqual(['CLOSED', false]);
  expect((await mutatePoll('closePoll', pollId)).poll.closedAt).toBe(closed.closedAt);
  expect(await vote(pollId, [answers[0]!.answerId], 'alice')).toMatchObject({ code: 'BAD_REQUEST' });
  expect(await mutatePoll('unvotePoll', pollId, 'carol')).toMatchObject({ code: 'BAD_REQUEST' });
  const brief = await shown({ closedIn: 1 });
  expect(await vote(brief.pollId, [brief.answers[0]!.answerId], 'alice')).toMatchObject({ code: 'BAD_REQUEST' });
  expect((await ask(gateway, `{ poll(pollId: "${brief.pollId}") { status } }`)).poll.status).toBe('CLOSED');
});

test('the question can be changed until the first vote, the title until the poll closes', async () => {
  const { pollId, answers } = await shown();
  expect(await mutatePoll('updatePoll', pollId, 'carol', { title: 'x' })).toMatchObject({ code: 'PERMISSION_DENIED' });
  const { poll: updated } = await mutatePoll('updatePoll', pollId, 'bob', {
    question: 'Really?',
    title: 'T',
    closedIn: 7_200_000,
  });
  expect(updated).toMatchObject({ question: 'Really?', title: 'T', closedIn: 7_200_000 });
  await vote(pollId, [answers[0]!.answerId], 'carol');
  expect(await mutatePoll('updatePoll', pollId, 'bob', { question: 'No?' })).toMatchObject({ code: 'BAD_REQUEST' });
  expect(await mutatePoll('updatePoll', pollId, 'bob', { closedIn: 1 })).toMatchObject({
    code: 'INVALID_PARAMETERS',
    path: ['closedIn'],
  });
  expect((await mutatePoll('updatePoll', pollId, 'admin', { title: null })).poll.title).toBe('');
  expect((await mutatePoll('updatePoll', pollId, 'bob', { status: 'CLOSED' })).poll.status).toBe('CLOSED');
  expect(await mutatePoll('updatePoll', pollId, 'bob', { title: 'late' })).toMatchObject({ code: 'BAD_REQUEST' });
});

test('viewerCanEdit and viewerCanDelete agree with updatePoll and deletePoll, before and after closing', async () => {
  const { pollId } = await shown();
  const rights = async (as: string) => {
    const { poll: read } = await ask(gateway, `{ poll(pollId: "${pollId}") { viewerCanEdit viewerCanDelete } }`, {
      as,
    });
    return [read.viewerCanEdit, read.viewerCanDelete];
  };
  const edits = async (as: string) => 'poll' in (await mutatePoll('updatePoll', pollId, as, { title: 'Tried' }));
  const both = async (as: string) => [...(await rights(as)), await edits(as)];
  expect(await both('bob')).toEqual([true, true, true]);
  expect(await both('admin')).toEqual([true, true, true]);
  expect(await both('carol')).toEqual([false, false, false]);
  await mutatePoll('closePoll', pollId);
  for (const as of ['bob', 'admin']) expect(await both(as), as).toEqual([false, true, false]);
  expect(await mutatePoll('deletePoll', pollId, 'carol')).toMatchObject({ code: 'PERMISSION_DENIED' });
  expect(await mutatePoll('deletePoll', pollId)).toHaveProperty('poll');
  expect(await rights('bob')).toEqual([false, false]);
});

test('a deleted poll remains with its post, without its question', async () => {
  const { pollId, answers } = await shown();
  expect(await mutatePoll('deletePoll', pollId, 'carol')).toMatchObject({ code: 'PERMISSION_DENIED' });
  expect((await mutatePoll('deletePoll', pollId)).poll.question).toBe('Which?');
  expect(await mutatePoll('deletePoll', pollId)).toMatchObject({ code: 'NOT_FOUND' });
  expect(await vote(pollId, [answers[0]!.answerId], 'carol')).toMatchObject({ code: 'NOT_FOUND' });
  const { poll: left } = await ask(gateway, `{ poll(pollId: "${pollId}") { isDeleted question answers { data } } }`, {
    as: 'carol',
  });
  expect(left).toEqual({ isDeleted: true, question: '', answers: [] });
});

test('rejects values out of bounds and records of others, naming the field', async () => {
  const refused = async (input: object) => {
    const { code, path } = await poll(input);
    return [code, path?.join('.')];
  };
  expect(await refused({ question: '' })).toEqual(['INVALID_PARAMETERS', 'question']);
  expect(await refused({ question: 'x'.repeat(501) })).toEqual(['INVALID_PARAMETERS', 'question']);
  expect(await refused({ answers: [{ data: 'A' }] })).toEqual(['INVALID_PARAMETERS', 'answers']);
  expect(await refused({ answers: Array(11).fill({ data: 'A' }) })).toEqual(['INVALID_PARAMETERS', 'answers']);
  expect(await refused({ answers: [{ data: 'A' }, {}] })).toEqual(['INVALID_PARAMETERS', 'answers']);
  expect(await refused({ answers: [{ data: 'A' }, { dataType: 'IMAGE' }] })).toEqual(['INVALID_PARAMETERS', 'answers']);
  expect(await refused({ answers: [{ data: 'A' }, { fileId: 'compost-guide' }] })).toEqual(['NOT_FOUND', 'answers']);
  for (const closedIn of [0, -1, 1.5, 400 * 86_400_000]) {
    expect(await refused({ closedIn })).toEqual(['INVALID_PARAMETERS', 'closedIn']);
  }
});

test('REST: create, get, vote, close, delete', async () => {
  const body = {
    question: 'By REST?',
    answers: [
      { dataType: 'text', data: 'Yes' },
      { dataType: 'text', data: 'No' },
    ],
    answerType: 'single',
    closedIn: 86_400_000,
  };
  const call = (method: string, path = '', sent?: object) =>
    gateway.rest(`/api/v3/polls${path}`, { as: 'bob', method, body: sent });
  const created = await call('POST', '', body);
  expect([created.status, created.body.polls[0].status, created.body.users[0].userId]).toEqual([200, 'open', 'bob']);
  const { pollId, answers } = created.body.polls[0];
  const voted = await call('POST', `/${pollId}/votes`, { pollId, answerIds: [answers[0].id] });
  expect(voted.body.polls[0]).toMatchObject({ isVoted: true, answers: [{ voteCount: 1 }, { voteCount: 0 }] });
  expect((await call('POST', `/${pollId}/votes`, { pollId, answerIds: [answers[0].id] })).body.code).toBe(400315);
  expect((await call('DELETE', `/${pollId}/votes`)).body.polls[0].isVoted).toBe(false);
  expect((await call('PUT', `/${pollId}`, { status: 'closed' })).body.polls[0].status).toBe('closed');
  expect((await call('GET', `/${pollId}`)).body.polls[0].question).toBe('By REST?');
  expect((await call('DELETE', `/${pollId}`)).body.polls[0].isDeleted).toBe(true);
});
