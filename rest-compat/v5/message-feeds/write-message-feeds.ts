import { forMutation } from '../../operation-params.ts';
import { route } from '../../route.ts';

const MESSAGE_FEED =
  'messageFeeds: messageFeed { ...MessageFeedRecord users: creator { ...UserWithAvatar } messages: lastMessage { ...MessageWithLinks } }';

const shared = { reference: 'write-message-feeds', arrays: ['messageFeeds', 'messages', 'users', 'files'] } as const;

export const writeMessageFeeds = [
  route({
    ...shared,
    ...forMutation('createMessageFeed', MESSAGE_FEED),
    method: 'POST',
    path: '/api/v5/message-feeds',
    summary: 'Create a message feed in a channel, by the internal id of the channel.',
  }),
  route({
    ...shared,
    ...forMutation('updateMessageFeed', MESSAGE_FEED),
    method: 'PUT',
    path: '/api/v5/message-feeds/:messageFeedId',
    summary: 'Rename a message feed.',
  }),
  route({
    ...shared,
    ...forMutation('deleteMessageFeed', `hasMore ${MESSAGE_FEED}`, { absentAsNull: true }),
    method: 'DELETE',
    path: '/api/v5/message-feeds/:messageFeedId',
    summary: 'Delete a message feed with its messages.',
  }),
];
