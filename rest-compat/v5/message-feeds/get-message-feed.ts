import { z } from 'zod';
import { GetMessageFeedDocument } from '../../generated/documents.ts';
import { id } from '../../params.ts';
import { route } from '../../route.ts';

export const getMessageFeed = route({
  method: 'GET',
  path: '/api/v5/message-feeds/:messageFeedId',
  section: 'interface §4.6',
  summary: 'Find a message feed by id.',
  params: z.object({ messageFeedId: id(30) }),
  document: GetMessageFeedDocument,
  variables: ({ messageFeedId }) => ({ messageFeedId }),
  arrays: ['messageFeeds', 'messages', 'users'],
  required: 'Message feed',
});
