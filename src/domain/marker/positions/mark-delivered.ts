import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { id } from '../../input.ts';
import { messageFeedId } from '../../message-feed/message-feed-id.ts';
import { applyMoves } from './apply-moves.ts';
import type { MovedMarkers } from './markers-after-move.ts';
import { requireFeed } from './require-feed.ts';

export const markDeliveringInput = z.object({
  messageFeedId: messageFeedId(),
  messageId: id().describe('Id of the newest message that was delivered.'),
});

/**
 * Raises the viewer's delivery position in a feed to one of its messages; an older message changes nothing.
 * @throws {OperationError} NOT_FOUND, also for a message of another feed; FORBIDDEN for users who are no members
 */
export async function markDelivering(
  context: Context,
  { messageFeedId, messageId }: z.input<typeof markDeliveringInput>,
): Promise<MovedMarkers> {
  const [place, message] = await Promise.all([
    requireFeed(context, messageFeedId),
    context.load.messages.load(messageId),
  ]);
  if (message?.messageFeedId !== place.feed.messageFeedId) throw notFound('Message');
  return applyMoves(context, [{ place, deliveredTo: message.segment }]);
}
