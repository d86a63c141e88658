import { markRead } from '../../src/domain/marker/positions/mark-read.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { MOVED_MARKERS } from './marker.ts';

mutationField(
  'markRead',
  {
    description: 'Which message feed, and how far.',
    inputFields: (t) => ({
      messageFeedId: t.string({ required: true, description: 'Id of the message feed.' }),
      readToSegment: t.int({ required: true, description: 'Segment that was read; at most the last one counts.' }),
    }),
  },
  {
    description: 'Raises how far the viewer has read in a message feed; never lowers it.',
    errors: {},
    resolve: (_, { input }, context) => markRead(context, input),
  },
  MOVED_MARKERS,
);
