import { z } from 'zod';
import { operation } from '../../documents.ts';
import { list, listedId, pagingOptions } from '../../params.ts';
import { route } from '../../route.ts';

/** Clients stop synchronizing when a request of theirs fails, so a request without ids returns empty arrays. */
const ids = () => list(listedId(150), { max: 100 }).default([]);

const shared = { method: 'GET', reference: 'read-markers' } as const;

export const readMarkers = [
  route({
    ...shared,
    path: '/api/v1/markers/userMarker',
    summary: "Get the caller's unread total over all channels.",
    params: z.object({}),
    document: operation('UserMarkerOfViewer'),
    variables: () => ({}),
    arrays: ['userMarkers'],
  }),
  route({
    ...shared,
    path: '/api/v1/markers/channels',
    summary: "List the caller's unread totals of channels, by internal ids.",
    params: z.object({ channelIds: ids() }),
    document: operation('ChannelMarkers'),
    variables: ({ channelIds }) => ({ entityIds: channelIds }),
    arrays: ['userEntityMarkers', 'userMarkers'],
  }),
  route({
    ...shared,
    path: '/api/v1/markers/message-feeds',
    summary: "List the last segments of message feeds and the caller's positions in them.",
    params: z.object({ messageFeedIds: ids(), options: pagingOptions() }),
    document: operation('MessageFeedMarkers'),
    variables: ({ messageFeedIds }) => ({ messageFeedIds }),
    arrays: ['feedMarkers', 'userFeedMarkers', 'userMarkers'],
    // The first page holds everything that was requested: there is never a second one.
    paging: ['previous'],
  }),
  route({
    ...shared,
    path: '/api/v1/markers/messages',
    summary: 'List the last segments of the message feeds of messages.',
    params: z.object({ messageIds: ids() }),
    document: operation('MessageMarkers'),
    variables: ({ messageIds }) => ({ messageIds }),
    arrays: ['contentMarkers', 'feedMarkers', 'userMarkers'],
  }),
  route({
    ...shared,
    path: '/api/v1/markers/user-message-feed',
    summary: "List the caller's positions in all message feeds of channels, by internal ids.",
    params: z.object({ channelIds: ids() }),
    document: operation('UserMessageFeedMarkers'),
    variables: ({ channelIds }) => ({ entityIds: channelIds }),
    arrays: ['userFeedMarkers', 'userMarkers'],
  }),
];
