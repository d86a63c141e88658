import { keepReading, stopReading } from '../../src/domain/marker/positions/keep-reading.ts';
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
    resolve: (_, { input }, context) => keepReading(context, input),
  },
  MOVED_MARKERS,
);

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
    resolve: (_, { input }, context) => stopReading(context, input),
  },
  MOVED_MARKERS,
);
