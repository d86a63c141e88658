import { InMemoryCache } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import possibleTypes from '../../generated/possible-types.ts';

/** A normalized cache: each record is stored once, so every page shows the newest version of it. */
export const createCache = () =>
  new InMemoryCache({
    ...possibleTypes,
    typePolicies: {
      Query: { fields: { globalFeed: relayStylePagination(), viewerChannels: relayStylePagination() } },
      MessageFeed: { fields: { messages: relayStylePagination() } },
      Post: { fields: { comments: relayStylePagination() } },
      // The unread totals of a user in a channel.
      UserEntityMarker: { keyFields: ['entityId', 'userId'] },
    },
  });
