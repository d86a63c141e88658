import type { FeedMarker } from '../../src/domain/marker/queries/unread.ts';
import { eventType, fromPayload } from '../event/event-type.ts';
import { UserFeedMarker } from './marker.ts';

eventType('marker', {
  about: "the viewer's own positions in message feeds",
  fields: (t) => ({
    userFeedMarkers: t.field({
      type: [UserFeedMarker],
      description: 'The changed positions.',
      resolve: fromPayload<FeedMarker[]>('userFeedMarkers'),
    }),
  }),
});
