import { removeChannelMembers } from '../../src/domain/channel/moderation/moderate-members.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { memberFields } from './channel-fields.ts';
import { MEMBERS_PAYLOAD } from './channel-payloads.ts';

mutationField(
  'removeChannelMembers',
  {
    description: 'Which channel, and whom.',
    inputFields: (t) => ({ ...memberFields(t) }),
  },
  {
    description: 'Ends the membership of users.',
    errors: {},
    resolve: (_, { input }, context) => removeChannelMembers(context, input),
  },
  MEMBERS_PAYLOAD,
);
