import { channelIdInput } from '../../src/domain/channel/channel-input.ts';
import { joinChannel, leaveChannel } from '../../src/domain/channel/members/join-channel.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { MEMBERS_PAYLOAD } from './channel-payloads.ts';

mutationField(
  'joinChannel',
  inputOf(channelIdInput),
  {
    description: 'Adds the viewer to a public channel.',
    resolve: (_, { input }, context) => joinChannel(context, input),
    ...causes('channel.joined'),
  },
  MEMBERS_PAYLOAD,
);

mutationField(
  'leaveChannel',
  inputOf(channelIdInput),
  {
    description: 'Removes the viewer from a channel.',
    resolve: (_, { input }, context) => leaveChannel(context, input),
    ...causes('channel.left'),
  },
  MEMBERS_PAYLOAD,
);
