import { deleteChannel } from '../../src/domain/channel/update-channel.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { channelIdField } from './channel-fields.ts';
import { CHANNEL_PAYLOAD } from './channel-payloads.ts';

mutationField(
  'deleteChannel',
  {
    description: 'Which channel.',
    inputFields: (t) => ({ ...channelIdField(t) }),
  },
  {
    description: 'Closes a channel for everybody.',
    errors: {},
    resolve: async (_, { input }, context) => ({ channel: await deleteChannel(context, input) }),
  },
  CHANNEL_PAYLOAD,
);
