import { mayInChannel } from '../../access/channel.ts';
import type { ChannelPlace } from '../../access/message.ts';
import type { Viewer } from '../../context.ts';

/** Whether the channel limits the viewer's messages now: the limit may have run out, and who sets it is free of it. */
export function isRateLimitedNow(viewer: Viewer, { channel, membership }: ChannelPlace, now: Date): boolean {
  const { isRateLimited, rateLimitTimeout, rateLimit } = channel;
  if (!isRateLimited || rateLimit < 1 || (rateLimitTimeout !== null && rateLimitTimeout <= now)) return false;
  return !mayInChannel(viewer, membership, 'EDIT_CHANNEL_RATELIMIT');
}
