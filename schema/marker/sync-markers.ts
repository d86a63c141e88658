import { syncMarkers } from '../../src/domain/marker/queries/sync-markers.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { FeedMarker, UserEntityMarker, UserFeedMarker, UserMarker } from './marker.ts';

mutationField(
  'syncMarkers',
  {
    description: 'Since when.',
    inputFields: (t) => ({
      deviceLastSyncAt: t.field({
        type: 'DateTime',
        description: 'When the device last asked; everything unless told.',
      }),
    }),
  },
  {
    description: "What changed in the viewer's markers since a device last asked, in at most 100 channels.",
    resolve: (_, { input }, context) => syncMarkers(context, input),
  },
  {
    description: "The viewer's markers that changed.",
    outputFields: (t) => ({
      userMarker: t.expose('userMarker', { type: UserMarker, description: 'The sum over all channels.' }),
      userEntityMarkers: t.expose('userEntityMarkers', {
        type: [UserEntityMarker],
        description: 'The sums over the channels that changed.',
      }),
      userFeedMarkers: t.expose('userFeedMarkers', {
        type: [UserFeedMarker],
        description: 'The positions in the message feeds of these channels.',
      }),
      feedMarkers: t.expose('feeds', { type: [FeedMarker], description: 'How far these message feeds go.' }),
      hasMore: t.exposeBoolean('hasMore', {
        description: 'Whether more has changed: ask again from the newest `updatedAt`.',
      }),
    }),
  },
);
