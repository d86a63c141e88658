import { listMembers } from '../../src/domain/community/members/list-members.ts';
import { builder } from '../builder.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { connectionType, SKIP } from '../shared/connection-type.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { Community } from './community.ts';
import { CommunityMembership, CommunityUser } from './community-user.ts';

const CommunityUserConnection = connectionType(CommunityUser, 'memberships');
export const MemberSort = restEnum('MemberSort', 'Sort order of community memberships.', {
  firstCreated: 'Oldest membership first. Default.',
  lastCreated: 'Newest membership first.',
  displayName: 'By display name of the user, in ascending order.',
});

builder.objectField(Community, 'members', (t) =>
  t.connection(
    {
      type: CommunityUser,
      nullable: true,
      description: 'Its memberships; null when its inside is not to be seen.',
      args: {
        memberships: t.arg({
          type: [CommunityMembership],
          required: true,
          defaultValue: ['member'],
          description: 'By how the users stand to it.',
        }),
        roles: t.arg.stringList({ description: 'Holds at least one of these role ids.' }),
        search: t.arg.string({ description: "Occurs in the user's name." }),
        sortBy: t.arg({ type: MemberSort, required: true, defaultValue: 'firstCreated', description: 'The order.' }),
        skip: t.arg.int({ description: SKIP }),
      },
      resolve: async ({ communityId }, args, context) => {
        const page = await listMembers(context, { communityId, ...args, request: pageRequest(args) });
        return page && toConnection(page);
      },
    },
    CommunityUserConnection,
  ),
);
