import type { ChannelUserRecord } from '../store/records/chat.ts';
import { isChannelMember } from './channel.ts';

/** Only members have markers, and only their own. */
export function canKeepMarkers(membership: ChannelUserRecord | null): boolean {
  return isChannelMember(membership);
}
