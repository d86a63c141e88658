import { canKeepMarkers } from '../../../access/marker.ts';
import type { Context } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import { type FeedPlace, findMessageFeed } from '../../message-feed/get-message-feed.ts';

/**
 * The feed in which the viewer is about to move their marker.
 * @throws {OperationError} NOT_FOUND when it is absent, deleted or not to be seen, FORBIDDEN for those who are no members
 */
export async function requireFeed(context: Context, messageFeedId: string): Promise<FeedPlace> {
  const place = await findMessageFeed(context, messageFeedId);
  if (!place || place.feed.isDeleted) throw notFound('Message feed');
  if (!canKeepMarkers(place.membership))
    throw new OperationError('FORBIDDEN', { message: 'Only members keep markers here.' });
  return place;
}
