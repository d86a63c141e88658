import { z } from 'zod';
import { operation } from '../../documents.ts';
import { connectionVariables } from '../../paging.ts';
import { bool, boolOrBoth, id, list, listedId, pagingOptions } from '../../params.ts';
import { route } from '../../route.ts';

const arrays = ['messageFeeds', 'messages', 'messagePreviews', 'messageFeedsInfo', 'users', 'files'];
/** As long as the longest public id of a channel, which also names its default message feed. */
const MAX_ID = 100;

const shared = { method: 'GET', reference: 'get-message-feed' } as const;

export const readMessageFeeds = [
  route({
    ...shared,
    path: '/api/v5/message-feeds/:messageFeedId',
    summary: 'Get one message feed.',
    params: z.object({ messageFeedId: id() }),
    document: operation('GetMessageFeed'),
    variables: ({ messageFeedId }) => ({ messageFeedId }),
    arrays: ['messageFeeds', 'messages', 'users'],
    required: 'Message feed',
  }),
  route({
    ...shared,
    path: '/api/v5/message-feeds/channel/:channelId',
    summary: 'List the message feeds of a channel.',
    params: z.object({
      channelId: id().describe('Public or internal id of the channel.'),
      excludeDefaultMessageFeed: bool()
        .optional()
        .describe('Whether to omit the default message feed. Default: false.'),
      isDeleted: boolOrBoth().optional(),
      options: pagingOptions(),
    }),
    document: operation('MessageFeedsOfChannel'),
    variables: ({ channelId, excludeDefaultMessageFeed, isDeleted, options }) => ({
      ...connectionVariables(options),
      channelId,
      excludesDefault: excludeDefaultMessageFeed ?? false,
      isDeleted: isDeleted ?? null,
    }),
    // `channels` is the main array: a channel that does not exist is a 404, one without feeds is not.
    arrays: ['channels', ...arrays],
    required: 'Channel',
    paging: ['previous'],
  }),
  route({
    ...shared,
    path: '/api/v5/message-feeds/list',
    summary: 'List message feeds by their ids.',
    params: z.object({ messageFeedIds: list(listedId(MAX_ID), { min: 1, max: 100 }) }),
    document: operation('ListMessageFeeds'),
    variables: ({ messageFeedIds }) => ({ messageFeedIds }),
    arrays,
  }),
];
