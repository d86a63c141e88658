import { keepReading } from '../../src/domain/marker/positions/keep-reading.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { MOVED_MARKERS } from './marker.ts';

mutationField(
  'keepReading',
  {
    description: 'Which message feeds.',
    inputFields: (t) => ({
      messageFeedIds: t.stringList({ required: true, description: 'Ids of message feeds, 1 to 100.' }),
    }),
  },
  {
    description:
      'Says that the viewer is reading these message feeds: for 60 seconds new messages there do not count as unread.',
    errors: {},
    resolve: (_, { input }, context) => keepReading(context, input),
  },
  MOVED_MARKERS,
);
