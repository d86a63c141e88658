import type { MovedMarkers } from '../../src/domain/marker/positions/markers-after-move.ts';
import { getUserMarker } from '../../src/domain/marker/queries/get-unread-totals.ts';
import { readDeferred } from '../../src/lib/deferred.ts';
import type { SchemaTypes } from '../builder.ts';
import { FeedMarker, UserEntityMarker, UserFeedMarker, UserMarker } from './marker.ts';

/** The changed markers of all four kinds (`docs/interface.md#read-markers`), as fields of the result of a mutation. */
export function movedMarkers<Moved extends MovedMarkers>(
  t: PothosSchemaTypes.ObjectFieldBuilder<PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>, Moved>,
) {
  return {
    // A result of `markChannelsSeen` that an earlier release stored has no markers.
    userMarker: t.field({
      type: UserMarker,
      description: 'Totals over all channels.',
      resolve: ({ userMarker }, _, context) => readDeferred(userMarker ?? (() => getUserMarker(context))),
    }),
    userEntityMarkers: t.field({
      type: [UserEntityMarker],
      description: 'Totals of the channels of these message feeds.',
      resolve: ({ userEntityMarkers = [] }) => readDeferred(userEntityMarkers),
    }),
    userFeedMarkers: t.field({
      type: [UserFeedMarker],
      description: 'Positions in these message feeds.',
      resolve: ({ userFeedMarkers = [] }) => readDeferred(userFeedMarkers),
    }),
    feedMarkers: t.field({
      type: [FeedMarker],
      description: 'Newest segments of these message feeds.',
      resolve: ({ feeds = [] }) => readDeferred(feeds),
    }),
  };
}

/** Result of mutations of markers. */
export const MOVED_MARKERS = {
  description: 'The changed markers of the viewer.',
  outputFields: movedMarkers<MovedMarkers>,
};
