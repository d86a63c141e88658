import { markChannelRead, markChannelsSeen } from '../../src/domain/marker/positions/mark-channels-read.ts';
import { markDelivering } from '../../src/domain/marker/positions/mark-delivered.ts';
import { markRead } from '../../src/domain/marker/positions/mark-read.ts';
import { builder } from '../builder.ts';
import { Channel } from '../channel/channel.ts';
import { ChannelUser } from '../channel/channel-user.ts';
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
    resolve: (_, { input }, context) => markRead(context, input),
  },
  MOVED_MARKERS,
);

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
    resolve: (_, { input }, context) => markChannelRead(context, input),
  },
  MOVED_MARKERS,
);

const SeenChannel = builder.inputType('SeenChannelInput', {
  description: 'How far a channel was read.',
  fields: (t) => ({
    channelId: t.string({ required: true, description: 'Public id of the channel.' }),
    readToSegment: t.int({ description: 'Segment of its default message feed; the last one unless told.' }),
  }),
});

mutationField(
  'markChannelsSeen',
  {
    description: 'Which channels, and how far.',
    inputFields: (t) => ({
      channels: t.field({ type: [SeenChannel], required: true, description: '1 to 100 channels.' }),
    }),
  },
  {
    description: 'Raises how far the viewer has read in the default message feeds of channels; never lowers it.',
    resolve: (_, { input }, context) => markChannelsSeen(context, input),
  },
  {
    description: 'The channels, and the viewer in them.',
    outputFields: (t) => ({
      channels: t.expose('channels', { type: [Channel], description: 'The channels.' }),
      channelUsers: t.expose('channelUsers', { type: [ChannelUser], description: "The viewer's memberships." }),
    }),
  },
);

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
    resolve: (_, { input }, context) => markDelivering(context, input),
  },
  MOVED_MARKERS,
);
