import {
  markChannelRead,
  markChannelReadInput,
  markChannelsSeen,
  markChannelsSeenInput,
  seenChannel,
} from '../../src/domain/marker/positions/mark-channels-read.ts';
import { markDelivering, markDeliveringInput } from '../../src/domain/marker/positions/mark-delivered.ts';
import { markRead, markReadInput } from '../../src/domain/marker/positions/mark-read.ts';
import { Channel } from '../channel/channel.ts';
import { ChannelUser } from '../channel/channel-user.ts';
import { inputOf, inputType } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { MOVED_MARKERS, movedMarkers } from './moved-markers.ts';

mutationField(
  'markRead',
  inputOf(markReadInput),
  {
    description: 'Raises the read position of the viewer in a message feed; never lowers it.',
    resolve: (_, { input }, context) => markRead(context, input),
    ...causes('marker.userFeed-updated', 'marker.user-sync', 'marker.marked-message'),
  },
  MOVED_MARKERS,
);

mutationField(
  'markChannelRead',
  inputOf(markChannelReadInput),
  {
    description: 'Marks all messages of a channel as read.',
    resolve: (_, { input }, context) => markChannelRead(context, input),
    ...causes('marker.userFeed-updated', 'marker.user-sync', 'marker.marked-message'),
  },
  MOVED_MARKERS,
);

const SeenChannelInput = inputType('SeenChannelInput', 'Read position in a channel.', { schema: seenChannel });

mutationField(
  'markChannelsSeen',
  inputOf(markChannelsSeenInput, { channels: SeenChannelInput }),
  {
    description: 'Raises the read positions of the viewer in the default message feeds of channels; never lowers them.',
    resolve: (_, { input }, context) => markChannelsSeen(context, input),
    ...causes('marker.userFeed-updated', 'marker.user-sync', 'marker.marked-message'),
  },
  {
    outputFields: (t) => ({
      channels: t.expose('channels', { type: [Channel], description: 'The channels.' }),
      channelUsers: t.expose('channelUsers', {
        type: [ChannelUser],
        description: 'The memberships of the viewer in them.',
      }),
      ...movedMarkers(t),
    }),
  },
);

mutationField(
  'markDelivering',
  inputOf(markDeliveringInput),
  {
    description: 'Raises the delivery position of the viewer in a message feed; never lowers it.',
    resolve: (_, { input }, context) => markDelivering(context, input),
    ...causes('marker.userFeed-updated', 'marker.marked-message'),
  },
  MOVED_MARKERS,
);
