import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { integer, MAX_INT, validate } from '../../input.ts';
import { messageFeedId } from '../../message-feed/message-feed-id.ts';
import { applyMoves } from './apply-moves.ts';
import type { MovedMarkers } from './markers-after-move.ts';
import { requireFeed } from './require-feed.ts';

export const markReadInput = z.object({
  messageFeedId: messageFeedId(),
  readToSegment: integer({ min: 0, max: MAX_INT }).describe(
    'Segment up to which the viewer has read; a segment after the newest counts as the newest.',
  ),
});

/**
 * Raises the viewer's read position in a feed, to its last segment at most; a lower segment changes nothing. Read
 * messages count as delivered.
 * @throws {OperationError} NOT_FOUND, FORBIDDEN for users who are no members, INVALID_PARAMETERS for a negative segment
 */
export async function markRead(context: Context, input: z.input<typeof markReadInput>): Promise<MovedMarkers> {
  const { messageFeedId, readToSegment } = validate(markReadInput, input);
  const place = await requireFeed(context, messageFeedId);
  return applyMoves(context, [{ place, readTo: Math.min(readToSegment, place.feed.lastSegment) }]);
}
