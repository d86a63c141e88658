import {
  muteChannel,
  muteChannelInput,
  setChannelRateLimit,
  setChannelRateLimitInput,
} from '../../src/domain/channel/moderation/limit-channel.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { CHANNEL_PAYLOAD } from './channel-payloads.ts';

mutationField(
  'muteChannel',
  inputOf(muteChannelInput),
  {
    description: 'Mutes a channel, so that only moderators can send messages, or unmutes it.',
    resolve: async (_, { input }, context) => ({ channel: await muteChannel(context, input) }),
    ...causes('channel.setMuted'),
  },
  CHANNEL_PAYLOAD,
);

mutationField(
  'setChannelRateLimit',
  inputOf(setChannelRateLimitInput),
  {
    description: 'Limits the rate at which a member can send messages, or removes the limit.',
    resolve: async (_, { input }, context) => ({ channel: await setChannelRateLimit(context, input) }),
    ...causes('channel.updated'),
  },
  CHANNEL_PAYLOAD,
);
