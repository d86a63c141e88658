import {
  keepReading,
  keepReadingInput,
  stopReading,
  stopReadingInput,
} from '../../src/domain/marker/positions/keep-reading.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { MOVED_MARKERS } from './moved-markers.ts';

mutationField(
  'keepReading',
  inputOf(keepReadingInput),
  {
    description:
      'Reports that the viewer is reading message feeds: for 60 seconds, new messages in them do not count as unread.',
    resolve: (_, { input }, context) => keepReading(context, input),
    ...causes('marker.userFeed-updated'),
  },
  MOVED_MARKERS,
);

mutationField(
  'stopReading',
  inputOf(stopReadingInput),
  {
    description: 'Reports that the viewer stopped reading a message feed. It has no effect after leaving the channel.',
    resolve: (_, { input }, context) => stopReading(context, input),
    ...causes('marker.userFeed-updated'),
  },
  MOVED_MARKERS,
);
