import { z } from 'zod';
import { permanentParam } from '../../content-params.ts';
import {
  RestCreateMessageFeedDocument,
  RestDeleteMessageFeedDocument,
  RestUpdateMessageFeedDocument,
} from '../../generated/documents.ts';
import { id, text } from '../../params.ts';
import { type Route, route } from '../../route.ts';

const messageFeedId = id(30);
const name = text({ max: 100 });
const shared = { section: 'legacy-facts §7', arrays: ['messageFeeds', 'messages', 'users', 'files'] } as const;

/** Makes, names and deletes message feeds (legacy-facts §7). */
export const writeMessageFeeds: Route[] = [
  route({
    ...shared,
    method: 'POST',
    path: '/api/v5/message-feeds',
    summary: 'Add a message feed to a channel, by its internal id.',
    params: z.object({ channelId: id(), name }),
    document: RestCreateMessageFeedDocument,
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    method: 'PUT',
    path: '/api/v5/message-feeds/:messageFeedId',
    summary: 'Give a message feed another name.',
    params: z.object({ messageFeedId, name }),
    document: RestUpdateMessageFeedDocument,
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/api/v5/message-feeds/:messageFeedId',
    summary: 'Delete a message feed with its messages.',
    params: z.object({ messageFeedId, permanent: permanentParam }),
    document: RestDeleteMessageFeedDocument,
    variables: ({ messageFeedId, permanent }) => ({ input: { messageFeedId, permanent: permanent ?? null } }),
  }),
];
