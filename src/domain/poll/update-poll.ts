import type { Filter } from 'mongodb';
import { ownsPoll } from '../../access/poll.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { appendEvents } from '../../events/append-events.ts';
import type { PollRecord } from '../../store/records/media.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { requireAllowedText } from '../content-rules/require-allowed-text.ts';
import { validate } from '../input.ts';
import { lockFor } from '../lock-for.ts';
import { requireRightInNetwork } from '../user/roles/require-right.ts';
import { getPoll } from './get-poll.ts';
import { pollEvent } from './poll-events.ts';
import { newAnswers, textsOf, type UpdatePollInput, updatePollInput } from './poll-input.ts';
import { pollStatus } from './present-poll.ts';

/**
 * Changes an open poll. Its question and answers can change only while it has no votes.
 *
 * @throws {OperationError} NOT_FOUND; PERMISSION_DENIED unless the viewer created it or moderates the network;
 *   BAD_REQUEST if it is closed, or if the question or answers change after the first vote; INVALID_PARAMETERS for a
 *   closing time in the past
 */
export async function updatePoll(context: Context, input: UpdatePollInput): Promise<PollRecord> {
  const { pollId, ...changes } = validate(updatePollInput, input);
  const poll = await requireOwnPoll(context, pollId);
  if (pollStatus(context, poll) === 'closed') {
    const { status, ...others } = changes;
    if (status === 'closed' && Object.values(others).every((change) => change == null)) return poll;
    throw refused();
  }
  await requireAllowedText(context, textsOf(changes), ['question']);
  const now = context.now();
  const held = poll.answers.flatMap(({ fileId }) => fileId ?? []);
  const changesContent = changes.question !== undefined || changes.answers !== undefined;
  const $set: Partial<PollRecord> = {
    ...(changes.title !== undefined && { title: changes.title ?? '' }),
    ...(changes.question !== undefined && { question: changes.question }),
    ...(changes.answers !== undefined && { answers: await newAnswers(context, changes.answers, held) }),
    ...(changes.closedIn !== undefined && closingOf(poll, changes.closedIn, now)),
    ...(changes.status === 'closed' && { status: 'closed', closedAt: now }),
  };
  if (Object.keys($set).length === 0) return poll;
  const isOpen = { isDeleted: false, status: 'open' as const, closedAt: { $gt: now } };
  const unvoted: Filter<PollRecord> = { answers: { $not: { $elemMatch: { voteCount: { $gt: 0 } } } } };
  const filter = { ...isOpen, ...(changesContent && unvoted), pollId };
  return write(context, poll, { event: 'poll.updated', filter, $set: { ...$set, updatedAt: now } });
}

/**
 * Closes a poll before its closing time. Closing a closed poll has no effect.
 * @throws {OperationError} NOT_FOUND, PERMISSION_DENIED
 */
export function closePoll(context: Context, { pollId }: { pollId: string }): Promise<PollRecord> {
  return updatePoll(context, { pollId, status: 'closed' });
}

/**
 * Deletes a poll. Posts that contain it stay; only its creator and moderators still see its content.
 * @throws {OperationError} NOT_FOUND, PERMISSION_DENIED
 */
export async function deletePoll(context: Context, { pollId }: { pollId: string }): Promise<PollRecord> {
  const poll = await requireOwnPoll(context, pollId);
  const $set = { isDeleted: true, updatedAt: context.now() };
  return write(context, poll, { event: 'poll.deleted', filter: { pollId, isDeleted: false }, $set });
}

async function requireOwnPoll(context: Context, pollId: string): Promise<PollRecord> {
  const poll = await getPoll(context, { pollId });
  if (!poll || poll.isDeleted) throw notFound('Poll');
  if (!ownsPoll(viewerOf(context), poll)) throw new OperationError('PERMISSION_DENIED');
  return poll;
}

function closingOf({ createdAt }: PollRecord, closedIn: number, now: Date): Pick<PollRecord, 'closedIn' | 'closedAt'> {
  const closedAt = new Date(createdAt.getTime() + closedIn);
  if (closedAt > now) return { closedIn, closedAt };
  throw new OperationError('INVALID_PARAMETERS', {
    detail: ['closedIn: the closing time must be in the future'],
    path: ['closedIn'],
  });
}

interface PollChange {
  event: 'poll.updated' | 'poll.deleted';
  filter: Filter<PollRecord> & { pollId: string };
  $set: Partial<PollRecord>;
}

async function write(context: Context, before: PollRecord, { event, filter, $set }: PollChange): Promise<PollRecord> {
  const { networkId, userId } = viewerOf(context);
  const { pollId } = filter;
  const isPrivileged = before.userId !== userId;
  const written = await context.transaction(
    async (session) => {
      if (isPrivileged) await requireRightInNetwork(context, session, (viewer) => ownsPoll(viewer, before));
      const { polls } = context.store.collections;
      const after = { session, returnDocument: 'after' } as const;
      const poll = await polls.findOneAndUpdate({ ...filter, networkId }, { $set }, after);
      if (poll && isPrivileged) {
        await recordAudit(context, session, [{ subjectType: 'poll', subjectId: pollId, affectedUserId: poll.userId }]);
      }
      if (poll) await appendEvents(context, session, [pollEvent(event, poll)]);
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
