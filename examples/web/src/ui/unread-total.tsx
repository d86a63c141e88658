import { useQuery } from '@apollo/client/react';
import { ChannelsDocument } from '../../generated/operations.ts';

/** Unread messages of all channels on display. */
export function UnreadTotal() {
  const { data } = useQuery(ChannelsDocument);
  const channels = data?.viewerChannels.edges ?? [];
  return <Unread count={channels.reduce((sum, { node }) => sum + (node.viewerMarker?.unreadCount ?? 0), 0)} />;
}

export function Unread({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="unread">
      {count}
      <span className="hidden"> unread</span>
    </span>
  );
}
