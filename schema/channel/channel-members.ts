import {
  addChannelMembers,
  banChannelMembers,
  muteChannelMembers,
  removeChannelMembers,
  unbanChannelMembers,
} from '../../src/domain/channel/moderation/moderate-members.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { memberFields, mutePeriodField } from './channel-fields.ts';
import { MEMBERS_PAYLOAD } from './channel-payloads.ts';

mutationField(
  'addChannelMembers',
  {
    description: 'Which channel, and whom.',
    inputFields: (t) => ({ ...memberFields(t) }),
  },
  {
    description: 'Makes users members of a channel.',
    resolve: (_, { input }, context) => addChannelMembers(context, input),
  },
  MEMBERS_PAYLOAD,
);

mutationField(
  'removeChannelMembers',
  {
    description: 'Which channel, and whom.',
    inputFields: (t) => ({ ...memberFields(t) }),
  },
  {
    description: 'Ends the membership of users.',
    resolve: (_, { input }, context) => removeChannelMembers(context, input),
  },
  MEMBERS_PAYLOAD,
);

mutationField(
  'banChannelMembers',
  {
    description: 'Which channel, and whom.',
    inputFields: (t) => ({ ...memberFields(t) }),
  },
  {
    description: 'Bans users from a channel: they see nothing inside.',
    resolve: (_, { input }, context) => banChannelMembers(context, input),
  },
  MEMBERS_PAYLOAD,
);

mutationField(
  'unbanChannelMembers',
  {
    description: 'Which channel, and whom.',
    inputFields: (t) => ({ ...memberFields(t) }),
  },
  {
    description: 'Takes bans back: these users may join again.',
    resolve: (_, { input }, context) => unbanChannelMembers(context, input),
  },
  MEMBERS_PAYLOAD,
);

mutationField(
  'muteChannelMembers',
  {
    description: 'Which channel, whom, and how long.',
    inputFields: (t) => ({ ...memberFields(t), ...mutePeriodField(t) }),
  },
  {
    description: 'Keeps members from writing in a channel for a time, or lets them again.',
    resolve: (_, { input }, context) => muteChannelMembers(context, input),
  },
  MEMBERS_PAYLOAD,
);
