import { useState } from 'react';
import {
  BanChannelMembersDocument,
  ChannelMembersDocument,
  type ChannelMembersQuery,
  type ChannelUserFilter,
  MuteChannelMembersDocument,
  UnbanChannelMembersDocument,
} from '../../../generated/operations.ts';
import { execute } from '../../api/execute.ts';
import { Link, pathOf } from '../../router.tsx';
import { Badge } from '../../ui/badge.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { ConnectionTable } from '../../ui/connection-table.tsx';
import { Select } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Person } from '../../ui/person.tsx';
import { Terms } from '../../ui/terms.tsx';
import { endOf, TermsButton } from '../../ui/terms-button.tsx';
import { Time } from '../../ui/time.tsx';
import { MAX_MUTE_DAYS, NO_MUTE, WITHOUT_END } from './mute-period.ts';

const MEMBERSHIPS: ReadonlyArray<readonly [ChannelUserFilter, string]> = [
  ['MEMBER', 'Members'],
  ['MUTED', 'Muted members'],
  ['BANNED', 'Banned users'],
];

type Channel = NonNullable<ChannelMembersQuery['channel']>;
type Member = NonNullable<Channel['members']>['edges'][number]['node'];

/** The members of a channel, with the actions that the viewer may take. */
export function ChannelPage({ channelId }: { channelId: string }) {
  const [membership, setMembership] = useState<ChannelUserFilter>('MEMBER');
  return (
    <Page title={`Channel ${channelId}`} about={<Link href={pathOf('channels')}>All channels</Link>}>
      <div className="toolbar">
        <Select
          label="Show"
          options={MEMBERSHIPS}
          value={membership}
          onChange={(value) => setMembership(value as ChannelUserFilter)}
        />
      </div>
      <ConnectionTable
        label="Members"
        document={ChannelMembersDocument}
        filters={{ channelId, memberships: [membership] }}
        connectionOf={({ channel }) =>
          channel?.members && {
            ...channel.members,
            edges: channel.members.edges.map(({ node }) => ({
              node: { ...node, canModerate: channel.viewerCanModerate },
            })),
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
            cell: ({ canModerate, ...member }) =>
              canModerate && <MemberActions channelId={channelId} member={member} onDone={reload} />,
          },
        ]}
      />
    </Page>
  );
}

interface MemberActionsProps {
  channelId: string;
  member: Member;
  onDone(): void;
}

function MemberActions({ channelId, member: { userId, user, isBanned, isMuted }, onDone }: MemberActionsProps) {
  const name = user?.displayName ?? userId;
  const input = { channelId, userIds: [userId] };
  if (isBanned)
    return (
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
    );
  return (
    <div className="actions">
      {isMuted ? (
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
      )}
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
    </div>
  );
}
