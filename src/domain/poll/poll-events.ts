import type { NewEvent } from '../../events/append-events.ts';
import type { NameOf } from '../../events/catalogue.ts';
import type { PollRecord } from '../../store/records/media.ts';

/** An event about a poll. */
export function pollEvent(
  type: NameOf<'poll'>,
  { networkId, pollId }: Pick<PollRecord, 'networkId' | 'pollId'>,
): NewEvent {
  return { type, path: `${networkId}/poll/${pollId}`, data: { pollId } };
}

/**
 * The events of a vote that was cast or withdrawn. Votes are secret, so neither event has an actor. Published clients
 * do not handle `poll.voted`; they receive the new counts with `poll.updated`.
 */
export function voteEvents(poll: Pick<PollRecord, 'networkId' | 'pollId'>): NewEvent[] {
  return [pollEvent('poll.voted', poll), { ...pollEvent('poll.updated', poll), hasNoActor: true }];
}
