import { anonymousUsers } from './anonymous-users.ts';
import { channelIndexes } from './channel-indexes.ts';
import { derivedConversationNames } from './derived-conversation-names.ts';
import { derivedFileUrls } from './derived-file-urls.ts';
import { derivedMarkers } from './derived-markers.ts';
import type { Migration } from './migration.ts';
import { newestPins } from './newest-pins.ts';
import { shardKeyIndexes } from './shard-key-indexes.ts';

/** The version of the data that the first release wrote, which noted none. */
export const FIRST_VERSION = 1;

/**
 * Every change of stored data since the first release, oldest first. Never edit or remove one that was released. New
 * collections and indexes need no entry: they are made at every start.
 */
export const MIGRATIONS: readonly Migration[] = [
  newestPins,
  shardKeyIndexes,
  derivedMarkers,
  channelIndexes,
  derivedFileUrls,
  anonymousUsers,
  derivedConversationNames,
];
