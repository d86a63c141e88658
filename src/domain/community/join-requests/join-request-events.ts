import type { NewEvent } from '../../../events/append-events.ts';
import type { JoinRequestRecord } from '../../../store/records/community.ts';

/** The event for a created or answered join request. */
export function joinRequestEvent({
  networkId,
  joinRequestId,
  status,
}: Pick<JoinRequestRecord, 'networkId' | 'joinRequestId' | 'status'>): NewEvent {
  const type = `join-request.${status === 'pending' ? 'created' : status}` as const;
  return { type, path: `${networkId}/join-request/${joinRequestId}`, data: { joinRequestId } };
}
