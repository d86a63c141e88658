import type { Filter } from 'mongodb';
import { ownsPoll } from '../../access/poll.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { append } from '../../events/append.ts';
import type { PollRecord } from '../../store/records/media.ts';
import { validate } from '../input.ts';
import { lockFor } from '../lock-for.ts';
import { getPoll } from './get-poll.ts';
import { pollEvent } from './poll-events.ts';
import { newAnswers, type UpdatePollInput, updatePollInput } from './poll-input.ts';
import { pollStatus } from './present-poll.ts';

/**
 * Changes a poll while it is open: what is asked only until somebody votes.
 *
 * @throws {OperationError} NOT_FOUND; PERMISSION_DENIED for whoever neither made it nor moderates network-wide;
 *   BAD_REQUEST once it is closed, and for another question or other answers once somebody voted; INVALID_PARAMETERS for
 *   a closing that is over
 */
export async function updatePoll(context: Context, input: UpdatePollInput): Promise<PollRecord> {
  const { pollId, ...changes } = validate(updatePollInput, input);
  const poll = await ownPoll(context, pollId);
  if (pollStatus(context, poll) === 'closed') {
    const { status, ...others } = changes;
    if (status === 'closed' && Object.values(others).every((change) => change == null)) return poll;
    throw refused();
  }
  const now = context.now();
  const held = poll.answers.flatMap(({ fileId }) => fileId ?? []);
  const asksAnew = changes.question != null || changes.answers != null;
  const $set: Partial<PollRecord> = {
    ...(changes.title !== undefined && { title: changes.title ?? '' }),
    ...(changes.question != null && { question: changes.question }),
    ...(changes.answers != null && { answers: await newAnswers(context, changes.answers, held) }),
    ...(changes.closedIn != null && closingOf(poll, changes.closedIn, now)),
    ...(changes.status === 'closed' && { status: 'closed', closedAt: now }),
  };
  if (Object.keys($set).length === 0) return poll;
  const isOpen = { isDeleted: false, status: 'open' as const, closedAt: { $gt: now } };
  const unvoted: Filter<PollRecord> = { answers: { $not: { $elemMatch: { voteCount: { $gt: 0 } } } } };
  const filter = { ...isOpen, ...(asksAnew && unvoted), pollId };
  return write(context, 'poll.updated', { filter, $set: { ...$set, updatedAt: now } });
}

/**
 * Closes a poll by hand; one that is closed stays so.
 * @throws {OperationError} NOT_FOUND, PERMISSION_DENIED
 */
export function closePoll(context: Context, { pollId }: { pollId: string }): Promise<PollRecord> {
  return updatePoll(context, { pollId, status: 'closed' });
}

/**
 * Deletes a poll. The posts that show it stay; only its maker and moderators still read what it asked.
 * @throws {OperationError} NOT_FOUND, PERMISSION_DENIED
 */
export async function deletePoll(context: Context, { pollId }: { pollId: string }): Promise<PollRecord> {
  await ownPoll(context, pollId);
  const $set = { isDeleted: true, updatedAt: context.now() };
  return write(context, 'poll.deleted', { filter: { pollId, isDeleted: false }, $set });
}

async function ownPoll(context: Context, pollId: string): Promise<PollRecord> {
  const poll = await getPoll(context, { pollId });
  if (!poll || poll.isDeleted) throw notFound('Poll');
  if (!ownsPoll(viewerOf(context), poll)) throw new OperationError('PERMISSION_DENIED');
  return poll;
}

function closingOf({ createdAt }: PollRecord, closedIn: number, now: Date): Pick<PollRecord, 'closedIn' | 'closedAt'> {
  const closedAt = new Date(createdAt.getTime() + closedIn);
  if (closedAt > now) return { closedIn, closedAt };
  throw new OperationError('INVALID_PARAMETERS', { detail: ['closedIn: that time is over'], path: ['closedIn'] });
}

async function write(
  context: Context,
  event: 'poll.updated' | 'poll.deleted',
  { filter, $set }: { filter: Filter<PollRecord> & { pollId: string }; $set: Partial<PollRecord> },
): Promise<PollRecord> {
  const { networkId } = viewerOf(context);
  const { pollId } = filter;
  const written = await context.transaction(
    async (session) => {
      const { polls } = context.store.collections;
      const after = { session, returnDocument: 'after' } as const;
      const poll = await polls.findOneAndUpdate({ ...filter, networkId }, { $set }, after);
      if (poll) await append(context, session, [pollEvent(event, poll)]);
      return poll;
    },
    lockFor(context, 'poll', pollId),
  );
  context.load.polls.clear(pollId);
  if (!written) throw refused();
  return written;
}

function refused(): OperationError {
  return new OperationError('BAD_REQUEST', { message: 'This poll is closed, deleted, or has votes already.' });
}
