import { updateChannel } from '../../src/domain/channel/update-channel.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { channelIdField, flagFields, lookFields } from './channel-fields.ts';
import { CHANNEL_PAYLOAD } from './channel-payloads.ts';

mutationField(
  'updateChannel',
  {
    description: 'Which channel, and how it is to be.',
    inputFields: (t) => ({
      displayName: t.string({ description: 'Name to show, 1 to 100 characters.' }),
      isPublic: t.boolean({ description: 'Whether others than members may find and read it.' }),
      ...channelIdField(t),
      ...flagFields(t),
      ...lookFields(t),
    }),
  },
  {
    description: 'Changes a channel. What is left out stays as it is; null clears what can be cleared.',
    errors: {},
    resolve: async (_, { input }, context) => ({ channel: await updateChannel(context, input) }),
  },
  CHANNEL_PAYLOAD,
);
