import {
  addChannelMembers,
  banChannelMembers,
  banChannelMembersInput,
  channelMembersInput,
  muteChannelMembers,
  muteChannelMembersInput,
  removeChannelMembers,
  unbanChannelMembers,
} from '../../src/domain/channel/moderation/moderate-members.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { MEMBERS_PAYLOAD } from './channel-payloads.ts';

mutationField(
  'addChannelMembers',
  inputOf(channelMembersInput),
  {
    description: 'Adds users to a channel.',
    resolve: (_, { input }, context) => addChannelMembers(context, input),
    ...causes('channel.membersAdded'),
  },
  MEMBERS_PAYLOAD,
);

mutationField(
  'removeChannelMembers',
  inputOf(channelMembersInput),
  {
    description: 'Removes members from a channel.',
    resolve: (_, { input }, context) => removeChannelMembers(context, input),
    ...causes('channel.membersRemoved'),
  },
  MEMBERS_PAYLOAD,
);

mutationField(
  'banChannelMembers',
  inputOf(banChannelMembersInput),
  {
    description:
      'Bans users from a channel: they cannot join it or see its messages and members until the ban ends or is lifted.',
    resolve: (_, { input }, context) => banChannelMembers(context, input),
    ...causes('channel.banned'),
  },
  MEMBERS_PAYLOAD,
);

mutationField(
  'unbanChannelMembers',
  inputOf(channelMembersInput),
  {
    description: 'Unbans users. They are not members, but can join again.',
    resolve: (_, { input }, context) => unbanChannelMembers(context, input),
    ...causes('channel.unbanned'),
  },
  MEMBERS_PAYLOAD,
);

mutationField(
  'muteChannelMembers',
  inputOf(muteChannelMembersInput),
  {
    description: 'Mutes members, who then cannot send messages in the channel, or unmutes them.',
    resolve: (_, { input }, context) => muteChannelMembers(context, input),
    ...causes('channel.setMutedUsers'),
  },
  MEMBERS_PAYLOAD,
);
