import type { ApolloClient } from '@apollo/client';
import {
  CommentsCountDocument,
  EventsDocument,
  type EventsSubscription,
  UnreadOfDocument,
} from '../../generated/operations.ts';
import { addComment, addMessage, addPost, findPost } from './lists.ts';
import { refresh } from './refresh.ts';

export type LiveEvent = EventsSubscription['events'];

/**
 * Applies an event. Its records are in the normalized cache already, with the state they have now; what is left are lists
 * that a new record belongs to. Applied twice, an event changes nothing.
 */
export function applyEvent(client: ApolloClient, event: LiveEvent, viewerId: string): void {
  const { cache } = client;
  if (event.__typename === 'PostEvent' && event.type === 'POST_CREATED') addPost(cache, event.post);
  if (event.__typename === 'CommentEvent') {
    const { comment } = event;
    if (event.type === 'COMMENT_CREATED') addComment(cache, comment);
    if (comment.referenceType === 'POST' && findPost(cache, comment.referenceId)) {
      refresh(client, CommentsCountDocument, { postId: comment.referenceId });
    }
  }
  if (event.__typename === 'MessageEvent' && event.type === 'MESSAGE_CREATED') {
    addMessage(cache, event.chatMessage);
    const { channel, userId } = event.chatMessage;
    if (channel && userId !== viewerId) {
      refresh(client, UnreadOfDocument, { channelInternalIds: [channel.internalId] });
    }
  }
}

/** Applies an event again, after the result of a query that may be older has replaced its records. */
export function reapplyEvent(client: ApolloClient, event: LiveEvent, viewerId: string): void {
  const result: EventsSubscription = { __typename: 'Subscription', events: event };
  client.cache.write({ dataId: 'ROOT_SUBSCRIPTION', query: EventsDocument, result });
  applyEvent(client, event, viewerId);
}
