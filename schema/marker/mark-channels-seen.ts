import { markChannelsSeen } from '../../src/domain/marker/positions/mark-channels-read.ts';
import { builder } from '../builder.ts';
import { Channel } from '../channel/channel.ts';
import { ChannelUser } from '../channel/channel-user.ts';
import { mutationField } from '../shared/mutation-field.ts';

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
    errors: {},
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
