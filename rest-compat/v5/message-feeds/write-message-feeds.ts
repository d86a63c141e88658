import { z } from 'zod';
import { permanentParam } from '../../content-params.ts';
import { mutation } from '../../documents.ts';
import { id, text } from '../../params.ts';
import { route } from '../../route.ts';

const MESSAGE_FEED =
  'messageFeeds: messageFeed { ...MessageFeedRecord users: creator { ...UserWithAvatar } messages: lastMessage { ...MessageWithLinks } }';

const messageFeedId = id(30);
const name = text({ max: 100 });
const shared = { reference: 'write-message-feeds', arrays: ['messageFeeds', 'messages', 'users', 'files'] } as const;

export const writeMessageFeeds = [
  route({
    ...shared,
    method: 'POST',
    path: '/api/v5/message-feeds',
    summary: 'Create a message feed in a channel, by the internal id of the channel.',
    params: z.object({ channelId: id(), name }),
    document: mutation('createMessageFeed', MESSAGE_FEED),
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    method: 'PUT',
    path: '/api/v5/message-feeds/:messageFeedId',
    summary: 'Rename a message feed.',
    params: z.object({ messageFeedId, name }),
    document: mutation('updateMessageFeed', MESSAGE_FEED),
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/api/v5/message-feeds/:messageFeedId',
    summary: 'Delete a message feed with its messages.',
    params: z.object({ messageFeedId, permanent: permanentParam }),
    document: mutation('deleteMessageFeed', `hasMore ${MESSAGE_FEED}`),
    variables: ({ messageFeedId, permanent }) => ({ input: { messageFeedId, permanent: permanent ?? null } }),
  }),
];
