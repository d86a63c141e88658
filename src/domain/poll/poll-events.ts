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
