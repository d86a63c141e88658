import { type Context, viewerOf } from '../../context.ts';
import { type MaybePromise, whenLoaded } from '../../lib/maybe-promise.ts';
import type { PollRecord } from '../../store/records/media.ts';

export type PollAnswer = PollRecord['answers'][number] & { isVotedByUser: boolean };

/** The answers of a poll, each with whether the viewer chose it. */
export function pollAnswers(context: Context, poll: PollRecord): MaybePromise<PollAnswer[]> {
  return whenLoaded(chosenAnswers(context, poll), (chosen) =>
    poll.answers.map((answer) => ({ ...answer, isVotedByUser: chosen.includes(answer.id) })),
  );
}

/** Whether the viewer voted in the poll. */
export function isVoted(context: Context, poll: PollRecord): MaybePromise<boolean> {
  return whenLoaded(chosenAnswers(context, poll), (chosen) => chosen.length > 0);
}

/** Ids of the answers that the viewer chose. Skips the query for a poll without votes. */
function chosenAnswers(context: Context, poll: PollRecord): MaybePromise<string[]> {
  if (poll.answers.every((answer) => answer.voteCount === 0)) return [];
  return whenLoaded(
    context.load.pollVotes.load([viewerOf(context).userId, poll.pollId]),
    (vote) => vote?.answerIds ?? [],
  );
}
