import { useState } from 'react';
import type { ChannelUserFilter } from '../../../generated/operations.ts';
import { Link, pathOf } from '../../router.tsx';
import { Select } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { ChannelMembers } from './channel-members.tsx';

const MEMBERSHIPS: ReadonlyArray<readonly [ChannelUserFilter, string]> = [
  ['MEMBER', 'Members'],
  ['MUTED', 'Muted members'],
  ['BANNED', 'Banned users'],
];

/** The members of a channel, and users who are banned from it. */
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
      <ChannelMembers channelId={channelId} membership={membership} />
    </Page>
  );
}
