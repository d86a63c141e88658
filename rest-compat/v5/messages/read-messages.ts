import { z } from 'zod';
import { operation } from '../../documents.ts';
import { enumParam } from '../../enum-param.ts';
import { connectionVariables } from '../../paging.ts';
import { boolOrBoth, id, list, listedId, pageFields, text } from '../../params.ts';
import { route } from '../../route.ts';
import { MESSAGE_ARRAYS } from '../../side-arrays.ts';

const shared = { method: 'GET', reference: 'query-messages', arrays: MESSAGE_ARRAYS } as const;
const tags = () => list(text({ max: 100 }), { max: 20 }).optional();

export const readMessages = [
  route({
    ...shared,
    path: '/api/v5/messages',
    summary: 'List the messages of a message feed, by segment.',
    params: z.object({
      messageFeedId: id(),
      parentId: id(150).nullish(),
      dataType: text({ max: 100 }).nullish(),
      includeTags: tags(),
      excludeTags: tags(),
      isDeleted: boolOrBoth().optional(),
      options: z
        .object({
          ...pageFields(),
          sortBy: enumParam('MessageSort').optional(),
          /** Id of the message in the middle of the page; the tokens of the answer continue in both directions. */
          around: id(150).optional(),
        })
        .optional()
        .describe(
          'Page: `limit` is the number of messages, 1 to 100, by default 10; `token` is a token from `paging` for another page; `sortBy` is the order by segment, newest first by default; `around` is the id of a message in the middle of the page.',
        ),
    }),
    document: operation('ListMessages'),
    variables: ({ messageFeedId, parentId, dataType, includeTags, excludeTags, isDeleted, options }) => ({
      ...connectionVariables(options),
      messageFeedId,
      parentId: parentId ?? null,
      dataType: dataType ?? null,
      tags: includeTags ?? null,
      excludedTags: excludeTags ?? null,
      isDeleted: isDeleted ?? null,
      sortBy: options?.sortBy ?? 'SEGMENT_DESC',
      // The page around a message is the first one; a token has its own position, and clients repeat parameters with it.
      around: options?.token === undefined ? (options?.around ?? null) : null,
    }),
    // `messageFeeds` is the main array: a feed that does not exist is a 404, an empty one is not.
    arrays: ['messageFeeds', 'messages', 'users', 'files', 'reactions'],
    required: 'Message feed',
    paging: ['previous'],
  }),
  route({
    ...shared,
    path: '/api/v5/messages/list',
    summary: 'List messages by their ids.',
    params: z.object({ messageIds: list(listedId(150), { min: 1, max: 100 }) }),
    document: operation('ListMessagesByIds'),
    variables: ({ messageIds }) => ({ messageIds }),
  }),
  route({
    ...shared,
    path: '/api/v5/messages/:messageId',
    summary: 'Get one message.',
    params: z.object({ messageId: id(150) }),
    document: operation('GetMessage'),
    variables: ({ messageId }) => ({ messageId }),
    required: 'Message',
  }),
];
