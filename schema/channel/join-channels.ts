import { joinChannel, leaveChannel } from '../../src/domain/channel/members/join-channel.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { channelIdField } from './channel-fields.ts';
import { MEMBERS_PAYLOAD } from './channel-payloads.ts';

mutationField(
  'joinChannel',
  {
    description: 'Which channel.',
    inputFields: (t) => ({ ...channelIdField(t) }),
  },
  {
    description: 'Makes the viewer a member of a channel.',
    resolve: (_, { input }, context) => joinChannel(context, input),
  },
  MEMBERS_PAYLOAD,
);

mutationField(
  'leaveChannel',
  {
    description: 'Which channel.',
    inputFields: (t) => ({ ...channelIdField(t) }),
  },
  {
    description: "Ends the viewer's membership of a channel.",
    resolve: (_, { input }, context) => leaveChannel(context, input),
  },
  MEMBERS_PAYLOAD,
);
