import { NEW_CHANNEL_TYPES } from '../../src/domain/channel/channel-input.ts';
import { createChannel } from '../../src/domain/channel/create-channel.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { flagFields, lookFields } from './channel-fields.ts';
import { MEMBERS_PAYLOAD } from './channel-payloads.ts';

const NewChannelType = restEnum('NewChannelType', 'What a new channel is for.', NEW_CHANNEL_TYPES);

mutationField(
  'createChannel',
  {
    description: 'What to open.',
    inputFields: (t) => ({
      channelId: t.string({ description: 'Public id, 1 to 100 characters; made unless told.' }),
      type: t.field({ type: NewChannelType, description: 'What it is for; standard unless told.' }),
      displayName: t.string({ required: true, description: 'Name to show, 1 to 100 characters.' }),
      isPublic: t.boolean({
        description: 'Whether others than members may find and read it; true unless told, never for a private channel.',
      }),
      userIds: t.stringList({ description: 'Public ids of further members, at most 100.' }),
      ...flagFields(t),
      ...lookFields(t),
    }),
  },
  {
    description: 'Opens a channel whose moderator is the viewer.',
    errors: {},
    resolve: (_, { input }, context) => createChannel(context, input),
  },
  MEMBERS_PAYLOAD,
);
