import { muteChannel, setChannelRateLimit } from '../../src/domain/channel/moderation/limit-channel.ts';
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
    resolve: async (_, { input }, context) => ({ channel: await muteChannel(context, input) }),
  },
  CHANNEL_PAYLOAD,
);

mutationField(
  'setChannelRateLimit',
  {
    description: 'Which channel, and how much.',
    inputFields: (t) => ({
      rateLimit: t.int({
        required: true,
        description: 'Messages a member may send in one window, at most 10,000; 0 for no limit.',
      }),
      rateLimitWindow: t.int({ description: 'Length of the window in milliseconds; a minute unless told.' }),
      period: t.int({ description: 'How long the limit holds, in milliseconds; −1, or nothing: for good.' }),
      ...channelIdField(t),
    }),
  },
  {
    description: 'Limits how many messages a member sends, or ends that.',
    resolve: async (_, { input }, context) => ({ channel: await setChannelRateLimit(context, input) }),
  },
  CHANNEL_PAYLOAD,
);
