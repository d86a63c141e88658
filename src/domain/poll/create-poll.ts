import { ObjectId } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import { appendEvents } from '../../events/append-events.ts';
import type { PollRecord } from '../../store/records/media.ts';
import { requireAllowedText } from '../content-rules/require-allowed-text.ts';
import { validate } from '../input.ts';
import { pollEvent } from './poll-events.ts';
import { type CreatePollInput, createPollInput, DEFAULT_CLOSED_IN, newAnswers, textsOf } from './poll-input.ts';

/**
 * Creates a poll. Only its creator sees it until a post contains it.
 * @throws {OperationError} NOT_FOUND for an image that the viewer did not upload; BLOCKED_WORD, LINK_NOT_ALLOWED;
 *   INVALID_PARAMETERS
 */
export async function createPoll(context: Context, input: CreatePollInput): Promise<PollRecord> {
  const { networkId, userId, userInternalId } = viewerOf(context);
  const given = validate(createPollInput, input);
  await requireAllowedText(context, textsOf(given), ['question']);
  const answers = await newAnswers(context, given.answers);
  const closedIn = given.closedIn ?? DEFAULT_CLOSED_IN;
  const _id = new ObjectId();
  const now = context.now();
  const poll: PollRecord = {
    _id,
    networkId,
    pollId: _id.toHexString(),
    userId,
    userInternalId,
    title: given.title ?? '',
    question: given.question,
    answerType: given.answerType ?? 'single',
    answers,
    status: 'open',
    closedIn,
    closedAt: new Date(now.getTime() + closedIn),
    isDeleted: false,
    createdAt: now,
    updatedAt: now,
  };
  await context.transaction(async (session) => {
    await context.store.collections.polls.insertOne(poll, { session });
    await appendEvents(context, session, [pollEvent('poll.created', poll)]);
  });
  return poll;
}
