import { type Context, viewerOf } from '../../context.ts';
import type { PollRecord } from '../../store/records/media.ts';

export type PollAnswer = PollRecord['answers'][number] & { isVotedByUser: boolean };

/** The answers of a poll, with those that the viewer chose marked. */
export async function pollAnswers(context: Context, poll: PollRecord): Promise<PollAnswer[]> {
  const chosen = await chosenAnswers(context, poll);
  return poll.answers.map((answer) => ({ ...answer, isVotedByUser: chosen.includes(answer.id) }));
}

/** Whether the viewer voted. */
export async function isVoted(context: Context, poll: PollRecord): Promise<boolean> {
  return (await chosenAnswers(context, poll)).length > 0;
}

/** A poll that nobody voted in needs no look-up. */
async function chosenAnswers(context: Context, poll: PollRecord): Promise<string[]> {
  if (poll.answers.every((answer) => answer.voteCount === 0)) return [];
  const vote = await context.load.pollVotes.load([viewerOf(context).userId, poll.pollId]);
  return vote?.answerIds ?? [];
}
