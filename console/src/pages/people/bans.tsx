import { useState } from 'react';
import {
  type BanKind,
  BansDocument,
  type BansQuery,
  LiftChannelBanDocument,
  LiftCommunityBanDocument,
  UnbanUserDocument,
} from '../../../generated/operations.ts';
import { execute } from '../../api/execute.ts';
import { Link, pathOf } from '../../router.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { type Column, ConnectionTable } from '../../ui/connection-table.tsx';
import { Select } from '../../ui/field.tsx';
import { Person } from '../../ui/person.tsx';
import { Time } from '../../ui/time.tsx';

type Ban = BansQuery['bans']['edges'][number]['node'];

const KINDS: ReadonlyArray<readonly [BanKind, string]> = [
  ['NETWORK', 'From the network'],
  ['COMMUNITY', 'From communities'],
  ['CHANNEL', 'From channels'],
];

interface BansProps {
  /** Only the bans of this user. @default all bans of the network */
  userId?: string;
  /** Called when a ban was lifted. */
  onLifted?(): void;
}

/** Bans in effect, which can be lifted. */
export function Bans({ userId, onLifted }: BansProps) {
  const [kind, setKind] = useState<BanKind>('NETWORK');
  return (
    <>
      <div className="toolbar">
        <Select label="Bans" options={KINDS} value={kind} onChange={(value) => setKind(value as BanKind)} />
      </div>
      <ConnectionTable
        label="Bans"
        document={BansDocument}
        filters={{ filter: { kind, userId: userId ?? null } }}
        connectionOf={({ bans }) => bans}
        keyOf={keyOf}
        empty="No bans."
        columns={(reload) => {
          const lifted = () => {
            reload();
            onLifted?.();
          };
          const columns = columnsOf(kind, lifted);
          return userId === undefined ? [USER, ...columns] : columns;
        }}
      />
    </>
  );
}

const keyOf = ({ userId, communityId, channelId }: Ban) => [userId, communityId, channelId].join('/');

const USER: Column<Ban> = {
  title: 'User',
  cell: ({ user, userId }) => (user ? <Person person={user} /> : <code>{userId}</code>),
};

function columnsOf(kind: BanKind, lifted: () => void): ReadonlyArray<Column<Ban>> {
  const place: Column<Ban> = { title: 'From', cell: (ban) => <Place ban={ban} /> };
  return [
    ...(kind === 'NETWORK' ? [] : [place]),
    { title: 'Reason', cell: ({ reason }) => reason && <span className="clip">{reason}</span> },
    { title: 'By', cell: ({ bannedBy }) => bannedBy && <Person person={bannedBy} /> },
    { title: 'Since', cell: ({ bannedAt }) => bannedAt && <Time value={bannedAt} /> },
    { title: 'Until', cell: ({ expiresAt }) => (expiresAt ? <Time value={expiresAt} /> : 'It is lifted') },
    {
      title: 'Actions',
      isEnd: true,
      cell: (ban) => (
        <ConfirmButton
          label="Lift"
          title={`Lift the ban of ${ban.user?.displayName ?? ban.userId}?`}
          success="The ban is lifted."
          isSmall
          act={() => lift(ban)}
          onDone={lifted}
        >
          {kind === 'NETWORK' ? 'They can sign in again.' : 'They can join again.'}
        </ConfirmButton>
      ),
    },
  ];
}

function Place({ ban: { communityId, community, channelId, channel } }: { ban: Ban }) {
  if (communityId !== null) {
    return <Link href={pathOf('communities', communityId)}>{community?.displayName ?? communityId}</Link>;
  }
  return channelId && <Link href={pathOf('channels', channelId)}>{channel?.displayName || channelId}</Link>;
}

function lift({ userId, communityId, channelId }: Ban): Promise<unknown> {
  const userIds = [userId];
  if (communityId !== null) return execute(LiftCommunityBanDocument, { input: { communityId, userIds } });
  if (channelId !== null) return execute(LiftChannelBanDocument, { input: { channelId, userIds } });
  return execute(UnbanUserDocument, { input: { userId } });
}
