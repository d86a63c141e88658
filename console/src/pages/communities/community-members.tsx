import {
  AddCommunityRolesDocument,
  BanCommunityMembersDocument,
  CommunityMembersDocument,
  type CommunityMembership,
  type CommunityMembersQuery,
  RemoveCommunityMembersDocument,
  RemoveCommunityRolesDocument,
  UnbanCommunityMembersDocument,
} from '../../../generated/operations.ts';
import { execute } from '../../api/execute.ts';
import { Badge } from '../../ui/badge.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { ConnectionTable } from '../../ui/connection-table.tsx';
import { ModeratorButton } from '../../ui/moderator-button.tsx';
import { Person } from '../../ui/person.tsx';
import { Terms } from '../../ui/terms.tsx';
import { endOf, TermsButton } from '../../ui/terms-button.tsx';
import { Time } from '../../ui/time.tsx';

const MODERATOR = 'community-moderator';

type Community = NonNullable<CommunityMembersQuery['community']>;
type Member = NonNullable<Community['members']>['edges'][number]['node'];

interface CommunityMembersProps {
  communityId: string;
  memberships: CommunityMembership[];
}

/** Members of a community, or users who are banned from it, with the actions that the viewer may take. */
export function CommunityMembers({ communityId, memberships }: CommunityMembersProps) {
  return (
    <ConnectionTable
      label="Members"
      document={CommunityMembersDocument}
      filters={{ communityId, memberships }}
      connectionOf={({ community }) =>
        community?.members && {
          ...community.members,
          edges: community.members.edges.map(({ node }) => ({ node: { ...node, community } })),
        }
      }
      keyOf={({ id }) => id}
      empty="Nobody."
      columns={(reload) => [
        { title: 'Name', cell: ({ user }) => <Person person={user} /> },
        { title: 'User id', cell: ({ userId }) => <code>{userId}</code> },
        memberships.includes('BANNED')
          ? { title: 'Ban', cell: ({ ban }) => <Terms terms={ban} /> }
          : { title: 'Roles', cell: ({ roles }) => roles.map((role) => <Badge key={role}>{role}</Badge>) },
        { title: 'Since', cell: ({ createdAt }) => <Time value={createdAt} /> },
        {
          title: 'Actions',
          isEnd: true,
          cell: ({ community, ...member }) => (
            <MemberActions community={community} communityId={communityId} member={member} onDone={reload} />
          ),
        },
      ]}
    />
  );
}

interface MemberActionsProps {
  community: Community;
  communityId: string;
  member: Member;
  onDone(): void;
}

function MemberActions({
  community,
  communityId,
  member: { userId, roles, isBanned, user },
  onDone,
}: MemberActionsProps) {
  const name = user?.displayName ?? userId;
  const input = { communityId, userIds: [userId] };
  const roleInput = { ...input, roleIds: [MODERATOR] };
  const isModerator = roles.includes(MODERATOR);
  if (isBanned)
    return community.viewerCanBanMembers ? (
      <ConfirmButton
        label="Lift ban"
        isSmall
        title={`Lift the ban of ${name}?`}
        success="The ban is lifted."
        act={() => execute(UnbanCommunityMembersDocument, { input })}
        onDone={onDone}
      >
        {name} can join the community again.
      </ConfirmButton>
    ) : null;
  return (
    <div className="actions">
      {community.viewerCanAssignRoles && (
        <ModeratorButton
          name={name}
          isModerator={isModerator}
          role={MODERATOR}
          place="community"
          act={() =>
            isModerator
              ? execute(RemoveCommunityRolesDocument, { input: roleInput })
              : execute(AddCommunityRolesDocument, { input: roleInput })
          }
          onDone={onDone}
        />
      )}
      {community.viewerCanRemoveMembers && (
        <ConfirmButton
          label="Remove"
          isSmall
          title={`Remove ${name} from the community?`}
          success={`${name} is removed.`}
          act={() => execute(RemoveCommunityMembersDocument, { input })}
          onDone={onDone}
        >
          They can join again.
        </ConfirmButton>
      )}
      {community.viewerCanBanMembers && (
        <TermsButton
          label="Ban"
          isSmall
          isDanger
          title={`Ban ${name} from the community?`}
          endLabel="End of the ban"
          success={`${name} is banned.`}
          act={({ reason, periodMs }) =>
            execute(BanCommunityMembersDocument, { input: { ...input, reason, expiresAt: endOf(periodMs) } })
          }
          onDone={onDone}
        >
          They cannot join again until the ban ends.
        </TermsButton>
      )}
    </div>
  );
}
