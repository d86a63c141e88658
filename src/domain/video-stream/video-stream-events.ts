import type { NewEvent } from '../../events/append-events.ts';
import type { NameOf } from '../../events/catalogue.ts';
import type { VideoStreamRecord } from '../../store/records/media.ts';

/** An event about a live stream. */
export function videoStreamEvent(
  type: NameOf<'videoStream'>,
  { networkId, streamId }: Pick<VideoStreamRecord, 'networkId' | 'streamId'>,
): NewEvent {
  return { type, path: `${networkId}/videostreaming/${streamId}`, data: { streamId } };
}
