import { markChannelRead } from '../../src/domain/marker/positions/mark-channels-read.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { MOVED_MARKERS } from './marker.ts';

mutationField(
  'markChannelRead',
  {
    description: 'Which channel.',
    inputFields: (t) => ({
      channelId: t.string({ required: true, description: 'Public or internal id of the channel.' }),
    }),
  },
  {
    description: 'Marks everything in a channel as read.',
    errors: {},
    resolve: (_, { input }, context) => markChannelRead(context, input),
  },
  MOVED_MARKERS,
);
