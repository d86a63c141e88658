import { type ClientSession, MongoServerError, ObjectId } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { appendEvents } from '../../events/append-events.ts';
import type { PollRecord } from '../../store/records/media.ts';
import { together } from '../../store/transaction.ts';
import { ids, validate } from '../input.ts';
import { lockFor } from '../lock-for.ts';
import { getPoll } from './get-poll.ts';
import { voteEvents } from './poll-events.ts';
import { pollIdInput } from './poll-input.ts';
import { pollStatus } from './present-poll.ts';
import { requireMayStillVote, requirePollStillVisible } from './require-poll-still-visible.ts';

export const votePollInput = pollIdInput.extend({
  answerIds: ids({ min: 1, max: 10 }).describe('Ids of the chosen answers: one, unless the poll accepts several.'),
});

export const changePollVoteInput = pollIdInput.extend({
  answerIds: ids({ max: 10 }).describe('Ids of the chosen answers; an empty list withdraws the vote.'),
});

/**
 * Votes in a poll, once, for one answer or, if its answer type is `multiple`, for several.
 *
 * @throws {OperationError} NOT_FOUND; BAD_REQUEST if it is closed; INVALID_PARAMETERS for answers of another poll and
 *   for several answers where one is allowed; DUPLICATE for a second vote; FORBIDDEN on the feed of a user if one of the
 *   two blocks the other
 */
export async function votePoll(context: Context, input: { pollId: string; answerIds: string[] }): Promise<PollRecord> {
  const { networkId, userId } = viewerOf(context);
  const { pollId, answerIds } = validate(votePollInput, input);
  const poll = await openPoll(context, pollId);
  checkAnswers(poll, answerIds);
  const now = context.now();
  const vote = { _id: new ObjectId(), networkId, pollId, userId, answerIds, createdAt: now, updatedAt: now };
  const voted = await context.transaction(
    async (session) => {
      const counted = await countVote(context, session, { pollId, answerIds, by: 1 });
      await together(session, [
        () => context.store.collections.pollVotes.insertOne(vote, { session }).catch(votedAlready),
        () => requireMayStillVote(context, session, poll),
        () => appendEvents(context, session, voteEvents(counted)),
      ]);
      return counted;
    },
    lockFor(context, 'poll', pollId),
  );
  invalidate(context, pollId);
  return voted;
}

/**
 * Withdraws the viewer's vote; they can vote again.
 * @throws {OperationError} NOT_FOUND, also without a vote; BAD_REQUEST if the poll is closed
 */
export async function unvotePoll(context: Context, { pollId }: { pollId: string }): Promise<PollRecord> {
  const { networkId, userId } = viewerOf(context);
  const poll = await openPoll(context, pollId);
  const unvoted = await context.transaction(
    async (session) => {
      const { pollVotes } = context.store.collections;
      const vote = await pollVotes.findOneAndDelete({ networkId, pollId, userId }, { session });
      if (!vote) throw notFound('Vote');
      const [counted] = await together(session, [
        () => countVote(context, session, { pollId, answerIds: vote.answerIds, by: -1 }),
        () => requirePollStillVisible(context, session, poll),
      ]);
      await appendEvents(context, session, voteEvents(counted));
      return counted;
    },
    lockFor(context, 'poll', pollId),
  );
  invalidate(context, pollId);
  return unvoted;
}

/**
 * Replaces the viewer's vote, votes for them if they have not voted, or withdraws their vote. Does nothing if they have
 * voted for these answers.
 *
 * @throws {OperationError} NOT_FOUND; BAD_REQUEST if the poll is closed; INVALID_PARAMETERS and FORBIDDEN as
 *   {@link votePoll}
 */
export async function changePollVote(
  context: Context,
  input: { pollId: string; answerIds: string[] },
): Promise<PollRecord> {
  const { networkId, userId } = viewerOf(context);
  const { pollId, answerIds } = validate(changePollVoteInput, input);
  const poll = await openPoll(context, pollId);
  checkAnswers(poll, answerIds);
  const changed = await context.transaction(
    async (session) => {
      const { pollVotes } = context.store.collections;
      const now = context.now();
      const previous = await pollVotes.findOne({ networkId, pollId, userId }, { session });
      if (isSameChoice(previous?.answerIds ?? [], answerIds)) return null;
      const requireAllowed = answerIds.length > 0 ? requireMayStillVote : requirePollStillVisible;
      await requireAllowed(context, session, poll);
      let counted = poll;
      if (previous) {
        await pollVotes.deleteOne({ networkId, _id: previous._id }, { session });
        counted = await countVote(context, session, { pollId, answerIds: previous.answerIds, by: -1 });
      }
      if (answerIds.length > 0) {
        counted = await countVote(context, session, { pollId, answerIds, by: 1 });
        const createdAt = previous?.createdAt ?? now;
        const vote = { _id: new ObjectId(), networkId, pollId, userId, answerIds, createdAt, updatedAt: now };
        await pollVotes.insertOne(vote, { session });
      }
      await appendEvents(context, session, voteEvents(counted));
      return counted;
    },
    lockFor(context, 'poll', pollId),
  );
  invalidate(context, pollId);
  return changed ?? poll;
}

function isSameChoice(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((answerId) => other.includes(answerId));
}

async function openPoll(context: Context, pollId: string): Promise<PollRecord> {
  const poll = await getPoll(context, { pollId });
  if (!poll || poll.isDeleted) throw notFound('Poll');
  if (pollStatus(context, poll) === 'closed') throw closed();
  return poll;
}

function checkAnswers({ answers, answerType }: PollRecord, answerIds: readonly string[]): void {
  const known = new Set(answers.map((answer) => answer.id));
  const fault = answerIds.every((answerId) => known.has(answerId))
    ? answerType === 'single' && answerIds.length > 1 && 'only one answer is allowed'
    : 'must be ids of answers of this poll';
  if (fault) throw new OperationError('INVALID_PARAMETERS', { detail: [`answerIds: ${fault}`], path: ['answerIds'] });
}

/** @throws {OperationError} BAD_REQUEST if the poll was closed or deleted, or its answers changed, in the meantime */
async function countVote(
  context: Context,
  session: ClientSession,
  { pollId, answerIds, by }: { pollId: string; answerIds: string[]; by: 1 | -1 },
): Promise<PollRecord> {
  const { networkId } = viewerOf(context);
  const isOpen = { isDeleted: false, status: 'open' as const, closedAt: { $gt: context.now() } };
  const counted = await context.store.collections.polls.findOneAndUpdate(
    { networkId, pollId, ...isOpen, 'answers.id': { $all: answerIds } },
    { $inc: { 'answers.$[chosen].voteCount': by } },
    { session, returnDocument: 'after', arrayFilters: [{ 'chosen.id': { $in: answerIds } }] },
  );
  if (!counted) throw closed();
  return counted;
}

function votedAlready(error: unknown): never {
  if (error instanceof MongoServerError && error.code === 11_000)
    throw new OperationError('DUPLICATE', { message: 'You have already voted.' });
  throw error;
}

function closed(): OperationError {
  return new OperationError('BAD_REQUEST', { message: 'This poll is closed.' });
}

function invalidate(context: Context, pollId: string): void {
  context.load.polls.clear(pollId);
  context.load.pollVotes.clear([viewerOf(context).userId, pollId]);
}
