import { canKeepMarkers } from '../../../access/marker.ts';
import type { Context } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import { type FeedPlace, findMessageFeed } from '../../message-feed/get-message-feed.ts';

/**
 * Loads a feed in which the viewer has a marker.
 * @throws {OperationError} NOT_FOUND when the viewer does not see it or it is deleted; FORBIDDEN for users who are no
 *   members
 */
export async function requireFeed(context: Context, messageFeedId: string): Promise<FeedPlace> {
  const place = await findMessageFeed(context, messageFeedId);
  if (!place || place.feed.isDeleted) throw notFound('Message feed');
  if (!canKeepMarkers(place.membership)) throw notMemberError();
  return place;
}

export function notMemberError(): OperationError {
  return new OperationError('FORBIDDEN', { message: 'Only members have markers here.' });
}
