import { addChannelMembers } from '../../src/domain/channel/moderation/moderate-members.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { memberFields } from './channel-fields.ts';
import { MEMBERS_PAYLOAD } from './channel-payloads.ts';

mutationField(
  'addChannelMembers',
  {
    description: 'Which channel, and whom.',
    inputFields: (t) => ({ ...memberFields(t) }),
  },
  {
    description: 'Makes users members of a channel.',
    errors: {},
    resolve: (_, { input }, context) => addChannelMembers(context, input),
  },
  MEMBERS_PAYLOAD,
);
