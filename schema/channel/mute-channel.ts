import { muteChannel } from '../../src/domain/channel/moderation/limit-channel.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { channelIdField, mutePeriodField } from './channel-fields.ts';
import { CHANNEL_PAYLOAD } from './channel-payloads.ts';

mutationField(
  'muteChannel',
  {
    description: 'Which channel, and how long.',
    inputFields: (t) => ({ ...channelIdField(t), ...mutePeriodField(t) }),
  },
  {
    description: 'Keeps everybody but moderators from writing in a channel for a time, or lets them again.',
    errors: {},
    resolve: async (_, { input }, context) => ({ channel: await muteChannel(context, input) }),
  },
  CHANNEL_PAYLOAD,
);
