import { stopReading } from '../../src/domain/marker/positions/keep-reading.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { MOVED_MARKERS } from './marker.ts';

mutationField(
  'stopReading',
  {
    description: 'Which message feed.',
    inputFields: (t) => ({
      messageFeedId: t.string({ required: true, description: 'Id of the message feed.' }),
    }),
  },
  {
    description: 'Says that the viewer no longer reads a message feed.',
    errors: {},
    resolve: (_, { input }, context) => stopReading(context, input),
  },
  MOVED_MARKERS,
);
