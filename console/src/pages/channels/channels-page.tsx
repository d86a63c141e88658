import { useState } from 'react';
import { ChannelsDocument, MuteChannelDocument } from '../../../generated/operations.ts';
import { execute } from '../../api/execute.ts';
import { useDebounced } from '../../api/use-debounced.ts';
import { Link, pathOf } from '../../router.tsx';
import { Badge } from '../../ui/badge.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { ConnectionTable } from '../../ui/connection-table.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Time } from '../../ui/time.tsx';
import { ChannelPage } from './channel-page.tsx';
import { NO_MUTE, WITHOUT_END } from './mute-period.ts';

export function ChannelsPage({ segments: [channelId] }: { segments: string[] }) {
  return channelId === undefined ? <ChannelList /> : <ChannelPage channelId={channelId} />;
}

function ChannelList() {
  const [text, setText] = useState('');
  const keyword = useDebounced(text.trim());
  return (
    <Page title="Channels" about="Public channels and those of which you are a member, latest message first.">
      <div className="toolbar">
        <SearchField label="Search by name" value={text} onChange={setText} />
      </div>
      <ConnectionTable
        label="Channels"
        document={ChannelsDocument}
        filters={{ keyword: keyword || null }}
        connectionOf={({ networkChannels }) => networkChannels}
        keyOf={({ id }) => id}
        empty="No channel matches."
        columns={(reload) => [
          {
            title: 'Name',
            cell: ({ channelId, displayName }) => (
              <Link href={pathOf('channels', channelId)}>{displayName || channelId}</Link>
            ),
          },
          {
            title: 'Kind',
            cell: ({ type, isMuted }) => (
              <>
                <Badge>{type}</Badge>
                {isMuted && <Badge tone="warning">Muted</Badge>}
              </>
            ),
          },
          { title: 'Members', cell: ({ memberCount }) => memberCount },
          { title: 'Messages', cell: ({ messageCount }) => messageCount },
          { title: 'Active', cell: ({ lastActivity }) => <Time value={lastActivity} /> },
          {
            title: 'Actions',
            isEnd: true,
            cell: ({ channelId, isMuted, viewerCanModerate }) =>
              viewerCanModerate && (
                <ConfirmButton
                  label={isMuted ? 'Unmute' : 'Mute'}
                  isSmall
                  title={isMuted ? 'Unmute this channel?' : 'Mute this channel?'}
                  success={isMuted ? 'The channel is unmuted.' : 'The channel is muted.'}
                  act={() =>
                    execute(MuteChannelDocument, { input: { channelId, mutePeriod: isMuted ? NO_MUTE : WITHOUT_END } })
                  }
                  onDone={reload}
                >
                  In a muted channel, only users who can mute it send messages.
                </ConfirmButton>
              ),
          },
        ]}
      />
    </Page>
  );
}
