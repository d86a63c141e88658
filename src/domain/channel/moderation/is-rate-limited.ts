import { mayInChannel } from '../../../access/channel.ts';
import type { ChannelPlace } from '../../../access/message.ts';
import type { HasPassed, Viewer } from '../../../context.ts';
import type { ChannelRecord } from '../../../store/records/chat.ts';

type Limit = Pick<ChannelRecord, 'isRateLimited' | 'rateLimitTimeout' | 'rateLimit'>;

/** Whether a channel limits messages at this time; its limit may have expired. */
export function hasRateLimitNow({ isRateLimited, rateLimitTimeout, rateLimit }: Limit, hasPassed: HasPassed): boolean {
  return isRateLimited && rateLimit >= 1 && (rateLimitTimeout === null || !hasPassed(rateLimitTimeout));
}

/** Whether the channel limits the viewer's messages now. Users who may set the limit are exempt. */
export function isRateLimitedNow(viewer: Viewer, { channel, membership }: ChannelPlace, hasPassed: HasPassed): boolean {
  return hasRateLimitNow(channel, hasPassed) && !mayInChannel(viewer, membership, 'EDIT_CHANNEL_RATELIMIT');
}
