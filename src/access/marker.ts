import type { ChannelUserRecord } from '../store/records/chat.ts';
import { isChannelMember } from './channel.ts';

/** Only members have read and delivery positions; everybody moves their own alone. */
export function canKeepMarkers(membership: ChannelUserRecord | null): boolean {
  return isChannelMember(membership);
}
