import { pollRecord } from '../../../src/sample/builders/media.ts';
import { createSampleContext } from '../../../src/sample/context.ts';
import type { PollRecord } from '../../../src/store/records/media.ts';
import { PLACE_IDS } from '../actors.ts';
import { createPost } from '../content.ts';
import type { Fixtures, RestRequest } from '../fixtures.ts';
import { type MatrixCase, mutationCase } from '../matrix-case.ts';

type CreateRecord = (fixtures: Fixtures) => Promise<PollRecord>;

/** A poll by `author`, in a post of the community. */
const shownIn =
  (communityId: string | null): CreateRecord =>
  async (fixtures) => {
    const context = createSampleContext({ networkId: 'default', now: new Date() });
    const pollId = fixtures.uniqueId('poll');
    const answer = { dataType: 'text', fileId: null, voteCount: 0 } as const;
    const poll = pollRecord(context, {
      pollId,
      userId: 'author',
      question: 'Which?',
      answers: ['a', 'b'].map((data) => ({ ...answer, id: `${pollId}-${data}`, data })),
      closedAt: new Date(Date.now() + 3_600_000),
    });
    await fixtures.gateway.services.store.collections.polls.insertOne(poll);
    if (communityId) await createPost(fixtures, communityId, { dataType: 'poll', data: { pollId } });
    return poll;
  };

const inPublic = shownIn(PLACE_IDS.community);
const inPrivate = shownIn(PLACE_IDS.privateCommunity);
const nowhere = shownIn(null);
const select = 'poll { pollId }';

function ofPoll(
  operation: string,
  situation: string,
  createRecord: CreateRecord,
  {
    inputOf = () => ({}),
    rest,
  }: { inputOf?: (poll: PollRecord) => object; rest?: (pollId: string, input: object) => RestRequest } = {},
): MatrixCase {
  return mutationCase(operation, situation, {
    select,
    async prepare(fixtures, actor) {
      const poll = await createRecord(fixtures);
      if (operation === 'unvotePoll') await votedBy(fixtures, actor, poll);
      return { pollId: poll.pollId, ...inputOf(poll) };
    },
    ...(rest && { rest: ({ input }) => rest((input as { pollId: string }).pollId, input as object) }),
  });
}

async function votedBy(fixtures: Fixtures, userId: string, { networkId, pollId, answers }: PollRecord): Promise<void> {
  const { polls, pollVotes } = fixtures.gateway.services.store.collections;
  const now = new Date();
  await pollVotes.insertOne({
    networkId,
    pollId,
    userId,
    answerIds: [answers[0]!.id],
    createdAt: now,
    updatedAt: now,
  } as never);
  await polls.updateOne({ networkId, pollId }, { $set: { 'answers.0.voteCount': 1 } });
}

const poll = (situation: string, createRecord: CreateRecord): MatrixCase => ({
  operation: 'poll',
  situation,
  document: 'query ($pollId: String!) { answer: poll(pollId: $pollId) { pollId } }',
  prepare: async (fixtures) => ({ pollId: (await createRecord(fixtures)).pollId }),
  rest: ({ pollId }) => ({ method: 'GET', path: `/api/v3/polls/${pollId}` }),
});

const vote = {
  inputOf: ({ answers }: PollRecord) => ({ answerIds: [answers[0]!.id] }),
  rest: (id: string, body: object): RestRequest => ({ method: 'POST', path: `/api/v3/polls/${id}/votes`, body }),
};
const change = {
  inputOf: vote.inputOf,
  rest: (id: string, body: object): RestRequest => ({ method: 'PUT', path: `/api/v3/polls/${id}/votes`, body }),
};
const unvote = { rest: (id: string): RestRequest => ({ method: 'DELETE', path: `/api/v3/polls/${id}/votes` }) };
const update = {
  inputOf: () => ({ title: 'Better' }),
  rest: (id: string, body: object): RestRequest => ({ method: 'PUT', path: `/api/v3/polls/${id}`, body }),
};
const deletion = { rest: (id: string): RestRequest => ({ method: 'DELETE', path: `/api/v3/polls/${id}` }) };
const question = { question: 'Which?', answers: [{ data: 'A' }, { data: 'B' }] };

export const POLL_CASES: MatrixCase[] = [
  poll('shown in a public community', inPublic),
  poll('shown in a private community', inPrivate),
  poll('that no post shows', nowhere),
  mutationCase('createPoll', 'a new one', {
    select,
    prepare: () => question,
    rest: () => ({ method: 'POST', path: '/api/v3/polls', body: question }),
  }),
  ofPoll('votePoll', 'shown in a public community', inPublic, vote),
  ofPoll('votePoll', 'shown in a private community', inPrivate, vote),
  ofPoll('changePollVote', 'shown in a public community', inPublic, change),
  ofPoll('changePollVote', 'shown in a private community', inPrivate, change),
  ofPoll('unvotePoll', 'one’s own vote, in a public community', inPublic, unvote),
  ofPoll('updatePoll', 'of `author` in a public community', inPublic, update),
  ofPoll('updatePoll', 'of `author` in a private community', inPrivate, update),
  ofPoll('closePoll', 'of `author` in a public community', inPublic),
  ofPoll('closePoll', 'of `author` in a private community', inPrivate),
  ofPoll('deletePoll', 'of `author` in a public community', inPublic, deletion),
  ofPoll('deletePoll', 'of `author` in a private community', inPrivate, deletion),
];
