import { z } from 'zod';
import { enumParam } from '../../enum-param.ts';
import {
  GetMessageDocument,
  ListMessagesByIdsDocument,
  ListMessagesDocument,
  type MessageSort,
} from '../../generated/documents.ts';
import { connectionVariables } from '../../paging.ts';
import { boolOrBoth, id, int, list, listedId, text } from '../../params.ts';
import { type Route, route } from '../../route.ts';

const arrays = ['messages', 'messageFeeds', 'users', 'files', 'reactions'];
const tags = () => list(text({ max: 100 }), { max: 20 }).optional();

/** Messages as newer clients read them (legacy-facts §7). */
export const messages: Route[] = [
  route({
    method: 'GET',
    path: '/api/v5/messages',
    section: 'legacy-facts §7',
    summary: 'The messages of a message feed, by segment.',
    params: z.object({
      messageFeedId: id(30),
      parentId: id(150).nullish(),
      dataType: text({ max: 100 }).nullish(),
      includeTags: tags(),
      excludeTags: tags(),
      isDeleted: boolOrBoth().optional(),
      options: z
        .object({
          limit: int({ min: 1, max: 100 }).optional(),
          token: text({ max: 1_000 }).optional(),
          sortBy: enumParam<MessageSort>('MessageSort').optional(),
          /** Id of a message; `limit` counts also with it, a token of the answer goes on from there. */
          around: id(150).optional(),
        })
        .optional(),
    }),
    document: ListMessagesDocument,
    variables: ({ messageFeedId, parentId, dataType, includeTags, excludeTags, isDeleted, options }) => ({
      ...connectionVariables(options),
      messageFeedId,
      parentId: parentId ?? null,
      dataType: dataType ?? null,
      tags: includeTags ?? null,
      excludedTags: excludeTags ?? null,
      isDeleted: isDeleted ?? null,
      sortBy: options?.sortBy ?? 'SEGMENT_DESC',
      around: options?.around ?? null,
    }),
    // The feed comes first, so that an absent one is told from an empty one.
    arrays: ['messageFeeds', 'messages', 'users', 'files', 'reactions'],
    required: 'Message feed',
    paging: ['previous'],
  }),
  route({
    method: 'GET',
    path: '/api/v5/messages/list',
    section: 'legacy-facts §7',
    summary: 'Messages by ids.',
    params: z.object({ messageIds: list(listedId(150), { min: 1, max: 100 }) }),
    document: ListMessagesByIdsDocument,
    variables: ({ messageIds }) => ({ messageIds }),
    arrays,
  }),
  route({
    method: 'GET',
    path: '/api/v5/messages/:messageId',
    section: 'legacy-facts §7',
    summary: 'Get one message.',
    params: z.object({ messageId: id(150) }),
    document: GetMessageDocument,
    variables: ({ messageId }) => ({ messageId }),
    arrays,
    required: 'Message',
  }),
];
