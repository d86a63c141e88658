import { unbanChannelMembers } from '../../src/domain/channel/moderation/moderate-members.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { memberFields } from './channel-fields.ts';
import { MEMBERS_PAYLOAD } from './channel-payloads.ts';

mutationField(
  'unbanChannelMembers',
  {
    description: 'Which channel, and whom.',
    inputFields: (t) => ({ ...memberFields(t) }),
  },
  {
    description: 'Takes bans back: these users may join again.',
    errors: {},
    resolve: (_, { input }, context) => unbanChannelMembers(context, input),
  },
  MEMBERS_PAYLOAD,
);
