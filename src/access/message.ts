import type { Viewer } from '../context.ts';
import type { ChannelRecord, ChannelUserRecord, MessageFeedRecord } from '../store/records/chat.ts';
import { canSeeInsideChannel, mayInChannel } from './channel.ts';

/** A channel and how the viewer stands to it. */
export interface ChannelPlace {
  channel: ChannelRecord;
  membership: ChannelUserRecord | null;
}

/** A feed and its messages: by whoever sees inside the channel; deleted feeds only by those who edit the channel. */
export function canSeeMessageFeed(viewer: Viewer, feed: MessageFeedRecord, place: ChannelPlace): boolean {
  if (!canSeeInsideChannel(viewer, place.channel, place.membership)) return false;
  return !feed.isDeleted || mayInChannel(viewer, place.membership, 'EDIT_CHANNEL');
}
