import type { CommunityRecord } from '../records/community.ts';
import { eachRecord, type Migration } from './migration.ts';

/**
 * Older releases stored new private communities as discoverable unless the client chose otherwise, although no list
 * showed them. Where joining needs no approval, this value is the default and not a choice.
 */
export const undiscoverableCommunities: Migration = {
  version: 11,
  name: 'private communities are found only if they take join requests',
  run: eachRecord<CommunityRecord>(
    { collection: 'communities', filter: { isPublic: false, isDiscoverable: true, requiresJoinApproval: false } },
    () => ({ $set: { isDiscoverable: false } }),
  ),
};
