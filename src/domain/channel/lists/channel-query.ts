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
  /**
   * Which channels to list, by the viewer's membership; `flagged`: channels with flagged messages that the viewer
   * moderates. @default all
   */
  filter: z.enum(CHANNEL_FILTERS).nullish(),
  /** Part of the name. */
  keyword: text({ min: 0, max: 100 }).nullish(),
  /** One of these types; an empty list does not filter. */
  types: z.array(z.enum(CHANNEL_TYPES)).max(MAX_FILTER_VALUES).nullish(),
  sortBy: z.enum(CHANNEL_SORTS).nullish(),
  /** Has at least one of these tags. */
  tags: values().nullish(),
  /** Has none of these tags. */
  excludeTags: values().nullish(),
  /** Has this user as a member. */
  userId: id().nullish(),
  /** null lists both; deleted channels are visible to network moderators only. @default false */
  isDeleted: z.boolean().nullish(),
});
export type ChannelQuery = z.input<typeof channelQuery>;
