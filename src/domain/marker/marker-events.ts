import type { Viewer } from '../../context.ts';
import type { NewEvent } from '../../events/append-events.ts';
import type { UserFeedMarkerRecord } from '../../store/records/chat.ts';

/** The event for the viewer's other devices that markers moved, on the topic of published clients. */
export function markerEvent({ networkId, userId, userInternalId }: Viewer, feedIds: string[]): NewEvent {
  const path = `${networkId}/marker/user/${userInternalId}`;
  return { type: 'marker.userFeed-updated', path, data: { userId, feedIds } };
}

/** As {@link markerEvent}, for the markers that moved; none if none did. */
export function markerEvents(
  viewer: Viewer,
  moves: ReadonlyArray<{ before: UserFeedMarkerRecord | null; after: UserFeedMarkerRecord }>,
  now: Date,
): NewEvent[] {
  const feedIds = moves.filter((move) => hasMoved(move, now)).map(({ after }) => after.feedId);
  return feedIds.length === 0 ? [] : [markerEvent(viewer, feedIds)];
}

/** Continued reading is reported every few seconds and is no move. */
function hasMoved(
  { before, after }: { before: UserFeedMarkerRecord | null; after: UserFeedMarkerRecord },
  now: Date,
): boolean {
  return (
    after.readToSegment > (before?.readToSegment ?? 0) ||
    after.deliveredToSegment > (before?.deliveredToSegment ?? 0) ||
    isReading(after, now) !== isReading(before, now)
  );
}

function isReading(marker: UserFeedMarkerRecord | null, now: Date): boolean {
  return marker?.readingUntil != null && marker.readingUntil > now;
}
