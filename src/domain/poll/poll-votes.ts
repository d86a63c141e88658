import { type Context, viewerOf } from '../../context.ts';
import type { PollRecord } from '../../store/records/media.ts';

export type PollAnswer = PollRecord['answers'][number] & { isVotedByUser: boolean };

/** The answers of a poll, each with whether the viewer chose it. */
export async function pollAnswers(context: Context, poll: PollRecord): Promise<PollAnswer[]> {
  const chosen = await chosenAnswers(context, poll);
  return poll.answers.map((answer) => ({ ...answer, isVotedByUser: chosen.includes(answer.id) }));
}

/** Whether the viewer voted in the poll. */
export async function isVoted(context: Context, poll: PollRecord): Promise<boolean> {
  return (await chosenAnswers(context, poll)).length > 0;
}

/** Ids of the answers that the viewer chose. Skips the query for a poll without votes. */
async function chosenAnswers(context: Context, poll: PollRecord): Promise<string[]> {
  if (poll.answers.every((answer) => answer.voteCount === 0)) return [];
  const vote = await context.load.pollVotes.load([viewerOf(context).userId, poll.pollId]);
  return vote?.answerIds ?? [];
}
