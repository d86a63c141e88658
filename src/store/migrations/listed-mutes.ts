import { type ChannelUserRecord, MUTED_FOREVER } from '../records/chat.ts';
import { eachRecord, type Migration } from './migration.ts';

/** Read per batch: few members are muted, and no index finds them. */
const SIZE = 2_000;

/**
 * Older releases stored no `mutedUntil`, by which mutes are listed and their ends reported. Mutes that have ended are
 * removed without a report: readers have seen their end.
 */
export const listedMutes: Migration = {
  version: 13,
  name: 'mutes of members with the time by which they are listed',
  compatibleFrom: 12,
  run: eachRecord<ChannelUserRecord>(
    { collection: 'channelUsers', size: SIZE },
    ({ isMuted, muteTimeout, mutedUntil }) => {
      if (!isMuted || mutedUntil) return undefined;
      if (muteTimeout && muteTimeout <= new Date()) return { $set: { isMuted: false, muteTimeout: null } };
      return { $set: { mutedUntil: muteTimeout ?? MUTED_FOREVER } };
    },
  ),
};
