import { ownsPoll } from '../../access/poll.ts';
import { type Context, viewerOf } from '../../context.ts';
import type { PollRecord } from '../../store/records/media.ts';

/** A deleted poll stays with its post, but only its maker and moderators read what it asked. */
export function presentPoll(context: Context, poll: PollRecord): PollRecord {
  if (!poll.isDeleted || ownsPoll(viewerOf(context), poll)) return poll;
  return { ...poll, title: '', question: '', answers: [] };
}

/** Whether a poll takes votes: it closes by hand or by its time, without a sweep being needed. */
export function pollStatus(context: Context, poll: PollRecord): PollRecord['status'] {
  return poll.status === 'closed' || poll.closedAt <= context.now() ? 'closed' : 'open';
}
