import {
  addCommunityMembers,
  banCommunityMembers,
  banCommunityMembersInput,
  communityMembersInput,
  removeCommunityMembers,
  unbanCommunityMembers,
} from '../../src/domain/community/members/manage-members.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { MEMBERSHIP_PAYLOAD } from './membership-payload.ts';

mutationField(
  'addCommunityMembers',
  inputOf(communityMembersInput),
  {
    description: 'Adds users to a community without a join request. Banned users must be unbanned first.',
    resolve: (_, { input }, context) => addCommunityMembers(context, input),
    ...causes('community.userAdded', 'community.userChanged', 'channel.membersAdded', 'join-request.approved'),
  },
  MEMBERSHIP_PAYLOAD,
);

mutationField(
  'removeCommunityMembers',
  inputOf(communityMembersInput),
  {
    description:
      'Removes members from a community. `FORBIDDEN` for users with a higher rank than the viewer; `LAST_MODERATOR` if no moderator would remain.',
    resolve: (_, { input }, context) => removeCommunityMembers(context, input),
    ...causes('community.userRemoved', 'community.userChanged', 'channel.membersRemoved'),
  },
  MEMBERSHIP_PAYLOAD,
);

mutationField(
  'banCommunityMembers',
  inputOf(banCommunityMembersInput),
  {
    description:
      'Bans users, members or not, from a community: memberships end and the users cannot join again until the ban ends or is lifted. `CANNOT_BAN` for users with a higher rank than the viewer; `LAST_MODERATOR` if no moderator would remain.',
    resolve: (_, { input }, context) => banCommunityMembers(context, input),
    ...causes('community.userBanned', 'community.userChanged', 'channel.banned', 'join-request.rejected'),
  },
  MEMBERSHIP_PAYLOAD,
);

mutationField(
  'unbanCommunityMembers',
  inputOf(communityMembersInput),
  {
    description: 'Unbans users. They are not members, but can join again. `NOT_BANNED` if one of them is not banned.',
    resolve: (_, { input }, context) => unbanCommunityMembers(context, input),
    ...causes('community.userUnbanned', 'community.userChanged', 'channel.unbanned'),
  },
  MEMBERSHIP_PAYLOAD,
);
