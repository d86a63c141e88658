import { listMembers } from '../../src/domain/community/members/list-members.ts';
import { builder } from '../builder.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { countedConnectionType, SKIP } from '../shared/connection-type.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { Community } from './community.ts';
import { CommunityMembership, CommunityUser } from './community-user.ts';

const CommunityUserConnection = countedConnectionType(CommunityUser, {
  plural: 'memberships',
  unknown: 'with `roles` or `search`, and for other states than `MEMBER`',
});
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
      description: 'Memberships of the community; null if the viewer cannot see its content.',
      args: {
        memberships: t.arg({
          type: [CommunityMembership],
          required: true,
          defaultValue: ['member'],
          description: 'Membership states to include.',
        }),
        roles: t.arg.stringList({ description: 'Only users with at least one of these roles, at most 20.' }),
        search: t.arg.string({
          description: 'Only users whose display name contains this text, at most 900 characters.',
        }),
        sortBy: t.arg({ type: MemberSort, required: true, defaultValue: 'firstCreated', description: 'Sort order.' }),
        skip: t.arg.int({ description: SKIP }),
      },
      resolve: async ({ communityId, membersCount }, args, context) => {
        const page = await listMembers(context, { communityId, ...args, request: pageRequest(args) });
        const isCounted = args.memberships.every((state) => state === 'member') && !args.roles?.length && !args.search;
        return page && toConnection(page, { totalCount: isCounted ? membersCount : null });
      },
    },
    CommunityUserConnection,
  ),
);
