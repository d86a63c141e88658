import { joinCommunity } from '../../src/domain/community/members/join-community.ts';
import { leaveCommunity } from '../../src/domain/community/members/leave-community.ts';
import { JoinRequest } from '../join-request/join-request.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Community } from './community.ts';
import { CommunityUser } from './community-user.ts';
import { moved } from './moved.ts';

mutationField(
  'joinCommunity',
  {
    description: 'Which community.',
    inputFields: (t) => ({ communityId: t.string({ required: true, description: 'Public id of the community.' }) }),
  },
  {
    description:
      'Joins a public community at once. Where joining needs approval, and a private community that can be found, it makes a request to join instead.',
    resolve: (_, { input }, context) => joinCommunity(context, input),
  },
  {
    description: 'A membership or a request that waits: one of the two.',
    outputFields: (t) => ({
      community: t.expose('community', {
        type: Community,
        nullable: true,
        description: 'The community; null while the viewer waits for approval to a private one.',
      }),
      member: t.expose('member', {
        type: CommunityUser,
        nullable: true,
        description: "The viewer's membership; null when they have to wait.",
      }),
      joinRequest: t.expose('joinRequest', {
        type: JoinRequest,
        nullable: true,
        description: 'The request that waits for an answer; null for whoever is a member now.',
      }),
    }),
  },
);

mutationField(
  'leaveCommunity',
  {
    description: 'Which community.',
    inputFields: (t) => ({ communityId: t.string({ required: true, description: 'Public id of the community.' }) }),
  },
  {
    description: "Ends the viewer's membership. The last moderator stays.",
    resolve: (_, { input }, context) => leaveCommunity(context, input),
  },
  { description: 'The community without the viewer.', outputFields: moved },
);
