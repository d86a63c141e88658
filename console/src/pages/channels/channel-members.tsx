import {
  AddChannelRoleDocument,
  BanChannelMembersDocument,
  ChannelMembersDocument,
  type ChannelMembersQuery,
  type ChannelUserFilter,
  MuteChannelMembersDocument,
  RemoveChannelRoleDocument,
  UnbanChannelMembersDocument,
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
import { MAX_MUTE_DAYS, NO_MUTE, WITHOUT_END } from './mute-period.ts';

const MODERATOR = 'channel-moderator';

type Channel = NonNullable<ChannelMembersQuery['channel']>;
type Member = NonNullable<Channel['members']>['edges'][number]['node'];

interface ChannelMembersProps {
  channelId: string;
  membership: ChannelUserFilter;
}

/** Members of a channel, muted ones, or users who are banned from it, with the actions that the viewer may take. */
export function ChannelMembers({ channelId, membership }: ChannelMembersProps) {
  return (
    <ConnectionTable
      label="Members"
      document={ChannelMembersDocument}
      filters={{ channelId, memberships: [membership] }}
      connectionOf={({ channel }) =>
        channel?.members && {
          ...channel.members,
          edges: channel.members.edges.map(({ node }) => ({ node: { ...node, channel } })),
        }
      }
      keyOf={({ id }) => id}
      empty="Nobody, or you cannot see the members."
      columns={(reload) => [
        { title: 'Name', cell: ({ user }) => <Person person={user} /> },
        {
          title: 'State',
          cell: ({ roles, isMuted, mute, ban }) => (
            <>
              {isMuted && <Badge tone="warning">Muted</Badge>}
              {roles.map((role) => (
                <Badge key={role}>{role}</Badge>
              ))}
              <Terms terms={ban ?? mute} />
            </>
          ),
        },
        { title: 'Since', cell: ({ createdAt }) => <Time value={createdAt} /> },
        {
          title: 'Actions',
          isEnd: true,
          cell: ({ channel, ...member }) => (
            <MemberActions channel={channel} channelId={channelId} member={member} onDone={reload} />
          ),
        },
      ]}
    />
  );
}

interface MemberActionsProps {
  channel: Channel;
  channelId: string;
  member: Member;
  onDone(): void;
}

function MemberActions({ channel, channelId, member, onDone }: MemberActionsProps) {
  const { userId, user, isBanned, roles } = member;
  const name = user?.displayName ?? userId;
  const input = { channelId, userIds: [userId] };
  const roleInput = { ...input, role: MODERATOR };
  const isModerator = roles.includes(MODERATOR);
  if (isBanned)
    return channel.viewerCanBanMembers ? (
      <ConfirmButton
        label="Lift ban"
        isSmall
        title={`Lift the ban of ${name}?`}
        success="The ban is lifted."
        act={() => execute(UnbanChannelMembersDocument, { input })}
        onDone={onDone}
      >
        They can join again.
      </ConfirmButton>
    ) : null;
  return (
    <div className="actions">
      {channel.viewerCanAssignRoles && (
        <ModeratorButton
          name={name}
          isModerator={isModerator}
          role={MODERATOR}
          place="channel"
          act={() =>
            isModerator
              ? execute(RemoveChannelRoleDocument, { input: roleInput })
              : execute(AddChannelRoleDocument, { input: roleInput })
          }
          onDone={onDone}
        />
      )}
      {channel.viewerCanMuteMembers && <MuteButton channelId={channelId} member={member} onDone={onDone} />}
      {channel.viewerCanBanMembers && (
        <TermsButton
          label="Ban"
          isSmall
          isDanger
          title={`Ban ${name} from this channel?`}
          endLabel="End of the ban"
          success={`${name} is banned.`}
          act={({ reason, periodMs }) =>
            execute(BanChannelMembersDocument, { input: { ...input, reason, expiresAt: endOf(periodMs) } })
          }
          onDone={onDone}
        >
          They cannot read the channel or join it.
        </TermsButton>
      )}
    </div>
  );
}

function MuteButton({ channelId, member, onDone }: Omit<MemberActionsProps, 'channel'>) {
  const { userId, user, isMuted } = member;
  const name = user?.displayName ?? userId;
  const input = { channelId, userIds: [userId] };
  return isMuted ? (
    <ConfirmButton
      label="Unmute"
      isSmall
      title={`Unmute ${name}?`}
      success={`${name} is unmuted.`}
      act={() => execute(MuteChannelMembersDocument, { input: { ...input, mutePeriod: NO_MUTE } })}
      onDone={onDone}
    >
      They can send messages in this channel again.
    </ConfirmButton>
  ) : (
    <TermsButton
      label="Mute"
      isSmall
      title={`Mute ${name}?`}
      endLabel="End of the mute"
      maxDays={MAX_MUTE_DAYS}
      success={`${name} is muted.`}
      act={({ reason, periodMs }) =>
        execute(MuteChannelMembersDocument, { input: { ...input, reason, mutePeriod: periodMs ?? WITHOUT_END } })
      }
      onDone={onDone}
    >
      Muted members cannot send messages in this channel.
    </TermsButton>
  );
}
