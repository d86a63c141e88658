import { leaveChannel } from '../../src/domain/channel/members/join-channel.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { channelIdField } from './channel-fields.ts';
import { MEMBERS_PAYLOAD } from './channel-payloads.ts';

mutationField(
  'leaveChannel',
  {
    description: 'Which channel.',
    inputFields: (t) => ({ ...channelIdField(t) }),
  },
  {
    description: "Ends the viewer's membership of a channel.",
    errors: {},
    resolve: (_, { input }, context) => leaveChannel(context, input),
  },
  MEMBERS_PAYLOAD,
);
