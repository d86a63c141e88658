import type { Context } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import { enterFeed } from './enter-feed.ts';
import { markersTurn, moveMarker } from './move-marker.ts';
import { type MovedMarkers, movedMarkers } from './moved-markers.ts';

/**
 * Raises the viewer's read position in a feed to a segment, or to the feed's last one when that is less (interface
 * §4.7); a lower one changes nothing. What was read was delivered too.
 * @throws {OperationError} NOT_FOUND, FORBIDDEN for those who are no members, INVALID_PARAMETERS for a negative segment
 */
export async function markRead(
  context: Context,
  { messageFeedId, readToSegment }: { messageFeedId: string; readToSegment: number },
): Promise<MovedMarkers> {
  if (!Number.isInteger(readToSegment) || readToSegment < 0) {
    throw new OperationError('INVALID_PARAMETERS', {
      detail: ['readToSegment: a whole number, not negative'],
      path: ['readToSegment'],
    });
  }
  const place = await enterFeed(context, messageFeedId);
  const readTo = Math.min(readToSegment, place.feed.lastSegment);
  await context.transaction((session) => moveMarker(context, session, place, { readTo }), markersTurn(context));
  return movedMarkers(context, [place]);
}
