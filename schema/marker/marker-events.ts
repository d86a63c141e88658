import { getFeedMarkers, getUserFeedMarkers } from '../../src/domain/marker/queries/get-markers.ts';
import { getEntityMarkers, getUserMarker } from '../../src/domain/marker/queries/get-unread-totals.ts';
import type { MessageFeedRecord, MessageRecord } from '../../src/store/records/chat.ts';
import { eventType, fromPayload } from '../event/event-type.ts';
import { Message } from '../message/message.ts';
import { FeedMarker, MessageMarker, UserEntityMarker, UserFeedMarker, UserMarker } from './marker.ts';

const feedIdsOf = fromPayload<string[]>('feedIds');

eventType('marker', {
  about: "the viewer's own positions in message feeds",
  fields: (t) => ({
    userFeedMarkers: t.field({
      type: [UserFeedMarker],
      description: 'The changed positions.',
      resolve: (root, _, context) => getUserFeedMarkers(context, { messageFeedIds: feedIdsOf(root) }),
    }),
    feedMarkers: t.field({
      type: [FeedMarker],
      description: 'Newest segments of these message feeds.',
      resolve: (root, _, context) => getFeedMarkers(context, { messageFeedIds: feedIdsOf(root) }),
    }),
    userEntityMarkers: t.field({
      type: [UserEntityMarker],
      description: 'Totals of the channels of these message feeds.',
      async resolve(root, _, context) {
        const feeds = await getFeedMarkers(context, { messageFeedIds: feedIdsOf(root) });
        return getEntityMarkers(context, { entityIds: feeds.map(({ channelInternalId }) => channelInternalId) });
      },
    }),
    userMarker: t.field({
      type: UserMarker,
      description: 'Totals over all channels.',
      resolve: (_, _args, context) => getUserMarker(context),
    }),
  }),
});

eventType('feedMarker', {
  about: 'the receipts or the newest segment of a message feed',
  fields: (t) => ({
    feedMarker: t.field({
      type: FeedMarker,
      description: 'Newest segment of the message feed.',
      resolve: fromPayload<MessageFeedRecord>('feed'),
    }),
    chatMessage: t.field({
      type: Message,
      description:
        'The new message, or the newest message that was read or delivered; earlier ones of the feed may have been read or delivered with it. Without its content if it is deleted.',
      resolve: fromPayload<MessageRecord>('chatMessage'),
    }),
    messageMarker: t.field({
      type: MessageMarker,
      description: 'How many users have received and read that message.',
      resolve: fromPayload<MessageRecord>('chatMessage'),
    }),
  }),
});
