import { communityIdInput } from '../../src/domain/community/community-fields.ts';
import { joinCommunity } from '../../src/domain/community/members/join-community.ts';
import { leaveCommunity } from '../../src/domain/community/members/leave-community.ts';
import { JoinRequest } from '../join-request/join-request.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { Community } from './community.ts';
import { CommunityUser } from './community-user.ts';
import { MEMBERSHIP_PAYLOAD } from './membership-payload.ts';

mutationField(
  'joinCommunity',
  inputOf(communityIdInput),
  {
    description:
      'Joins a public community immediately. Creates a join request instead if the community requires approval, or is private and discoverable.',
    resolve: (_, { input }, context) => joinCommunity(context, input),
    ...causes('community.joined', 'community.userChanged', 'channel.joined', 'join-request.created'),
  },
  {
    outputFields: (t) => ({
      community: t.expose('community', {
        type: Community,
        nullable: true,
        description: 'The community; null while the viewer awaits the approval of a private community.',
      }),
      member: t.expose('member', {
        type: CommunityUser,
        nullable: true,
        description: 'The membership of the viewer; null if a join request was created instead.',
      }),
      joinRequest: t.expose('joinRequest', {
        type: JoinRequest,
        nullable: true,
        description: 'The pending join request; null if the viewer is a member.',
      }),
    }),
  },
);

mutationField(
  'leaveCommunity',
  inputOf(communityIdInput),
  {
    description:
      'Ends the membership of the viewer. `LAST_MODERATOR` if no moderator would remain; `LAST_MEMBER` if no member would remain.',
    resolve: (_, { input }, context) => leaveCommunity(context, input),
    ...causes('community.left', 'community.userChanged', 'channel.left'),
  },
  MEMBERSHIP_PAYLOAD,
);
