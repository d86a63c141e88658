import type { Viewer } from '../../context.ts';
import type { NewEvent } from '../../events/append-events.ts';
import type { NameOf } from '../../events/catalogue.ts';
import type { UserFeedMarkerRecord } from '../../store/records/chat.ts';

/** The event for the viewer's other devices that markers moved, on the topic of published clients. */
export function markerEvent(
  { networkId, userId, userInternalId }: Viewer,
  feedIds: string[],
  type: NameOf<'marker'> = 'marker.userFeed-updated',
): NewEvent {
  return { type, path: `${networkId}/marker/user/${userInternalId}`, data: { userId, feedIds } };
}

/** An event for the members of a channel about the receipts of a message, on the topic of published clients. */
export function feedMarkerEvent(
  type: NameOf<'feedMarker'>,
  { networkId, entityId, feedId }: Pick<UserFeedMarkerRecord, 'networkId' | 'entityId' | 'feedId'>,
  segment: number,
): NewEvent {
  const path = `${networkId}/marker/channel/${entityId}/message/${feedId}`;
  return { type, path, data: { messageFeedId: feedId, segment } };
}

interface Move {
  before: UserFeedMarkerRecord | null;
  after: UserFeedMarkerRecord;
}

/**
 * The events for moved markers; none if none moved. The viewer's devices are notified of all of them in one event, and in
 * a second one if unread messages were read. The other members of each feed are notified of the newest message that
 * the viewer read or received.
 */
export function markerEvents(viewer: Viewer, moves: readonly Move[], now: Date): NewEvent[] {
  const moved = moves.filter((move) => hasMoved(move, now)).map(({ after }) => after.feedId);
  const read = moves.filter(hasRead).map(({ after }) => after.feedId);
  return [
    ...(moved.length > 0 ? [markerEvent(viewer, moved)] : []),
    ...(read.length > 0 ? [markerEvent(viewer, read, 'marker.user-sync')] : []),
    ...moves.flatMap((move) => {
      const segment = hasRead(move) ? move.after.readToSegment : hasReceived(move) ? move.after.deliveredToSegment : 0;
      return segment > 0 ? [feedMarkerEvent('marker.marked-message', move.after, segment)] : [];
    }),
  ];
}

/** Continued reading is reported every few seconds and is no move. */
function hasMoved(move: Move, now: Date): boolean {
  return hasRead(move) || hasReceived(move) || isReading(move.after, now) !== isReading(move.before, now);
}

function hasRead({ before, after }: Move): boolean {
  return after.readToSegment > (before?.readToSegment ?? 0);
}

function hasReceived({ before, after }: Move): boolean {
  return after.deliveredToSegment > (before?.deliveredToSegment ?? 0);
}

function isReading(marker: UserFeedMarkerRecord | null, now: Date): boolean {
  return marker?.readingUntil != null && marker.readingUntil > now;
}
