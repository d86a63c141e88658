import { syncMarkers, syncMarkersInput } from '../../src/domain/marker/queries/sync-markers.ts';
import { inputOf } from '../shared/input-fields.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { FeedMarker, UserEntityMarker, UserFeedMarker, UserMarker } from './marker.ts';

mutationField(
  'syncMarkers',
  inputOf(syncMarkersInput),
  {
    description:
      'Returns the markers of the viewer that changed since the last synchronization of a device, in at most 100 channels.',
    resolve: (_, { input }, context) => syncMarkers(context, input),
  },
  {
    outputFields: (t) => ({
      userMarker: t.expose('userMarker', { type: UserMarker, description: 'Totals over all channels.' }),
      userEntityMarkers: t.expose('userEntityMarkers', {
        type: [UserEntityMarker],
        description: 'Totals of the channels that changed.',
      }),
      userFeedMarkers: t.expose('userFeedMarkers', {
        type: [UserFeedMarker],
        description: 'Positions in the message feeds of these channels.',
      }),
      feedMarkers: t.expose('feeds', { type: [FeedMarker], description: 'Newest segments of these message feeds.' }),
      hasMore: t.exposeBoolean('hasMore', {
        description:
          'Whether more channels changed; to continue, pass the newest returned `updatedAt` as `deviceLastSyncAt`.',
      }),
    }),
  },
);
