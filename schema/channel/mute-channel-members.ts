import { muteChannelMembers } from '../../src/domain/channel/moderation/moderate-members.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { memberFields, mutePeriodField } from './channel-fields.ts';
import { MEMBERS_PAYLOAD } from './channel-payloads.ts';

mutationField(
  'muteChannelMembers',
  {
    description: 'Which channel, whom, and how long.',
    inputFields: (t) => ({ ...memberFields(t), ...mutePeriodField(t) }),
  },
  {
    description: 'Keeps members from writing in a channel for a time, or lets them again.',
    errors: {},
    resolve: (_, { input }, context) => muteChannelMembers(context, input),
  },
  MEMBERS_PAYLOAD,
);
