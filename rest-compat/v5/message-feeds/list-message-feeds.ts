import { z } from 'zod';
import { ListMessageFeedsDocument, MessageFeedsOfChannelDocument } from '../../generated/documents.ts';
import { connectionVariables } from '../../paging.ts';
import { bool, boolOrBoth, id, list, listedId, pagingOptions } from '../../params.ts';
import { type Route, route } from '../../route.ts';

const arrays = ['messageFeeds', 'messages', 'messagePreviews', 'messageFeedsInfo', 'users', 'files'];

/** Lists of message feeds that published clients ask for (legacy-facts §7). */
export const messageFeeds: Route[] = [
  route({
    method: 'GET',
    path: '/api/v5/message-feeds/channel/:channelId',
    section: 'legacy-facts §7',
    summary: 'The message feeds of a channel, by its internal id.',
    params: z.object({
      channelId: id(),
      excludeDefaultMessageFeed: bool().optional(),
      isDeleted: boolOrBoth().optional(),
      options: pagingOptions(),
    }),
    document: MessageFeedsOfChannelDocument,
    variables: ({ channelId, excludeDefaultMessageFeed, isDeleted, options }) => ({
      ...connectionVariables(options),
      internalId: channelId,
      excludesDefault: excludeDefaultMessageFeed ?? false,
      isDeleted: isDeleted ?? null,
    }),
    // The channel comes first, so that an absent one is told from one without feeds.
    arrays: ['channels', ...arrays],
    required: 'Channel',
    paging: ['previous'],
  }),
  route({
    method: 'GET',
    path: '/api/v5/message-feeds/list',
    section: 'legacy-facts §7',
    summary: 'Message feeds by ids.',
    params: z.object({ messageFeedIds: list(listedId(30), { min: 1, max: 100 }) }),
    document: ListMessageFeedsDocument,
    variables: ({ messageFeedIds }) => ({ messageFeedIds }),
    arrays,
  }),
];
