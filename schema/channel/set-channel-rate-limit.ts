import { setChannelRateLimit } from '../../src/domain/channel/moderation/limit-channel.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { channelIdField } from './channel-fields.ts';
import { CHANNEL_PAYLOAD } from './channel-payloads.ts';

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
    errors: {},
    resolve: async (_, { input }, context) => ({ channel: await setChannelRateLimit(context, input) }),
  },
  CHANNEL_PAYLOAD,
);
