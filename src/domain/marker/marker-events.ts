import type { Viewer } from '../../context.ts';
import type { NewEvent } from '../../events/append.ts';
import type { UserFeedMarkerRecord } from '../../store/records/chat.ts';

/**
 * That the viewer's positions in feeds moved, for their other devices; nothing when none did. The topic is the one that
 * published clients listen on (legacy-facts §4).
 */
export function markerEvents(
  { networkId, userId, userInternalId }: Viewer,
  moves: ReadonlyArray<{ before: UserFeedMarkerRecord | null; after: UserFeedMarkerRecord }>,
  now: Date,
): NewEvent[] {
  const feedIds = moves.filter((move) => hasMoved(move, now)).map(({ after }) => after.feedId);
  if (feedIds.length === 0) return [];
  const path = `${networkId}/marker/user/${userInternalId}`;
  return [{ type: 'marker.userFeed-updated', path, data: { userId, feedIds } }];
}

/** Whoever goes on reading has not moved: that is said every few seconds. */
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
