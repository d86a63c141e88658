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
import { Time } from '../../ui/time.tsx';
import { NO_MUTE, WITHOUT_END } from './mute-period.ts';

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
            cell: ({ roles, isMuted }) => (
              <>
                {isMuted && <Badge tone="warning">Muted</Badge>}
                {roles.map((role) => (
                  <Badge key={role}>{role}</Badge>
                ))}
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
  const mutePeriod = isMuted ? NO_MUTE : WITHOUT_END;
  return (
    <div className="actions">
      {!isBanned && (
        <ConfirmButton
          label={isMuted ? 'Unmute' : 'Mute'}
          isSmall
          title={`${isMuted ? 'Unmute' : 'Mute'} ${name}?`}
          success={isMuted ? `${name} is unmuted.` : `${name} is muted.`}
          act={() => execute(MuteChannelMembersDocument, { input: { ...input, mutePeriod } })}
          onDone={onDone}
        >
          Muted members cannot send messages in this channel.
        </ConfirmButton>
      )}
      <ConfirmButton
        label={isBanned ? 'Lift ban' : 'Ban'}
        isSmall
        isDanger={!isBanned}
        title={isBanned ? `Lift the ban of ${name}?` : `Ban ${name} from this channel?`}
        success={isBanned ? 'The ban is lifted.' : `${name} is banned.`}
        act={() =>
          isBanned ? execute(UnbanChannelMembersDocument, { input }) : execute(BanChannelMembersDocument, { input })
        }
        onDone={onDone}
      >
        {isBanned ? 'They can join again.' : 'They cannot read the channel or join it.'}
      </ConfirmButton>
    </div>
  );
}
