import { banChannelMembers } from '../../src/domain/channel/moderation/moderate-members.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { memberFields } from './channel-fields.ts';
import { MEMBERS_PAYLOAD } from './channel-payloads.ts';

mutationField(
  'banChannelMembers',
  {
    description: 'Which channel, and whom.',
    inputFields: (t) => ({ ...memberFields(t) }),
  },
  {
    description: 'Bans users from a channel: they see nothing inside.',
    errors: {},
    resolve: (_, { input }, context) => banChannelMembers(context, input),
  },
  MEMBERS_PAYLOAD,
);
