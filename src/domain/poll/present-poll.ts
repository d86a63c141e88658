import { ownsPoll } from '../../access/poll.ts';
import { type Context, viewerOf } from '../../context.ts';
import type { PollRecord } from '../../store/records/media.ts';

/** Hides the content of a deleted poll, which stays in its post, from all but its creator and moderators. */
export function presentPoll(context: Context, poll: PollRecord): PollRecord {
  if (!poll.isDeleted || ownsPoll(viewerOf(context), poll)) return poll;
  return { ...poll, title: '', question: '', answers: [] };
}

/** The status now: `closedAt` closes a poll without a background job. */
export function pollStatus(context: Context, poll: PollRecord): PollRecord['status'] {
  return poll.status === 'closed' || context.hasPassed(poll.closedAt) ? 'closed' : 'open';
}
