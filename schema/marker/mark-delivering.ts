import { markDelivering } from '../../src/domain/marker/positions/mark-delivered.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { MOVED_MARKERS } from './marker.ts';

mutationField(
  'markDelivering',
  {
    description: 'Which message feed, and which message arrived.',
    inputFields: (t) => ({
      messageFeedId: t.string({ required: true, description: 'Id of the message feed.' }),
      messageId: t.string({ required: true, description: 'Id of the message that arrived.' }),
    }),
  },
  {
    description: 'Raises how far messages of a feed have reached the viewer; never lowers it.',
    errors: {},
    resolve: (_, { input }, context) => markDelivering(context, input),
  },
  MOVED_MARKERS,
);
