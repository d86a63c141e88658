import { anonymousUsers } from './anonymous-users.ts';
import { channelIndexes } from './channel-indexes.ts';
import { defaultFeedIds } from './default-feed-ids.ts';
import { derivedConversationNames } from './derived-conversation-names.ts';
import { derivedFileUrls } from './derived-file-urls.ts';
import { derivedMarkers } from './derived-markers.ts';
import { endedSessions } from './ended-sessions.ts';
import { eventIds } from './event-ids.ts';
import { listedMutes } from './listed-mutes.ts';
import type { Migration } from './migration.ts';
import { newestPins } from './newest-pins.ts';
import { searchEntries } from './search-entries.ts';
import { shardKeyIndexes } from './shard-key-indexes.ts';
import { sharedWebhookBodies } from './shared-webhook-bodies.ts';
import { undiscoverableCommunities } from './undiscoverable-communities.ts';

/** The data version of the first release, which did not store one. */
export const FIRST_VERSION = 1;

/**
 * Every change of stored data since the first release, oldest first. Never edit or remove a released one. New
 * collections and indexes need no migration: they are created at every start.
 */
export const MIGRATIONS: readonly Migration[] = [
  newestPins,
  shardKeyIndexes,
  derivedMarkers,
  channelIndexes,
  derivedFileUrls,
  anonymousUsers,
  derivedConversationNames,
  defaultFeedIds,
  searchEntries,
  undiscoverableCommunities,
  sharedWebhookBodies,
  listedMutes,
  eventIds,
  endedSessions,
];
