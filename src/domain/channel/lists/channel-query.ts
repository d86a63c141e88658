import { z } from 'zod';
import { id, text } from '../../input.ts';
import { MAX_FILTER_VALUES } from '../../unique-ids.ts';

export const CHANNEL_FILTERS = ['all', 'member', 'notMember', 'flagged'] as const;
export const CHANNEL_SORTS = ['lastActivity', 'lastCreated', 'firstCreated', 'displayName'] as const;
const CHANNEL_TYPES = ['standard', 'private', 'conversation', 'broadcast', 'community', 'live'] as const;

export type ChannelFilter = (typeof CHANNEL_FILTERS)[number];
export type ChannelSort = (typeof CHANNEL_SORTS)[number];

const values = () => z.array(text({ max: 100 })).max(MAX_FILTER_VALUES, `at most ${MAX_FILTER_VALUES}`);

export const channelQuery = z.object({
  /** By how the viewer stands to them; `flagged`: they moderate it, and it holds flagged messages. All unless told. */
  filter: z.enum(CHANNEL_FILTERS).nullish(),
  /** Occurs in the name. */
  keyword: text({ min: 0, max: 100 }).nullish(),
  /** Any of these; empty is no condition. */
  types: z.array(z.enum(CHANNEL_TYPES)).max(MAX_FILTER_VALUES).nullish(),
  sortBy: z.enum(CHANNEL_SORTS).nullish(),
  /** Has at least one of them. */
  tags: values().nullish(),
  /** Has none of them. */
  excludeTags: values().nullish(),
  /** Has this user as a member. */
  userId: id().nullish(),
  /** null: both; deleted channels are for network moderators. Live ones unless told. */
  isDeleted: z.boolean().nullish(),
});
export type ChannelQuery = z.input<typeof channelQuery>;
