import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { ChannelsDocument } from '../../generated/operations.ts';
import { Unread } from '../ui/unread-total.tsx';
import { Conversation } from './conversation.tsx';

export function ChatPage({ viewerId }: { viewerId: string }) {
  const { data, fetchMore } = useQuery(ChannelsDocument);
  const [openId, setOpenId] = useState<string | null>(null);
  const connection = data?.viewerChannels;
  const channels = connection?.edges.map(({ node }) => node) ?? [];
  const open = channels.find(({ channelId }) => channelId === openId);
  return (
    <div className={open ? 'chat is-open' : 'chat'}>
      <nav className="channels" aria-label="Channels">
        <ul>
          {channels.map((channel) => (
            <li key={channel.id}>
              <button
                type="button"
                aria-current={channel === open ? 'true' : undefined}
                onClick={() => setOpenId(channel.channelId)}
              >
                {channel.displayName || channel.channelId}
                <Unread count={channel.viewerMarker?.unreadCount ?? 0} />
              </button>
            </li>
          ))}
        </ul>
        {connection?.pageInfo.hasNextPage && (
          <button
            type="button"
            className="quiet"
            onClick={() => fetchMore({ variables: { after: connection.pageInfo.endCursor } })}
          >
            More channels
          </button>
        )}
        {connection && channels.length === 0 && <p className="empty">You are in no channel yet.</p>}
      </nav>
      {open ? (
        <Conversation key={open.id} channel={open} viewerId={viewerId} onClose={() => setOpenId(null)} />
      ) : (
        <p className="empty">Choose a channel.</p>
      )}
    </div>
  );
}
