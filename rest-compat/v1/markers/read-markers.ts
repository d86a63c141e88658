import { z } from 'zod';
import { operation } from '../../documents.ts';
import { list, listedId, pagingOptions } from '../../params.ts';
import { route } from '../../route.ts';

/** Clients stop synchronizing when a request of theirs fails, so a request without ids returns empty arrays. */
const ids = () => list(listedId(150), { max: 100 }).default([]);

// Lists of 6.9 have `paging`. The first page holds everything that was requested: there is never a second one.
const shared = { method: 'GET', reference: 'read-markers' } as const;

export const readMarkers = [
  route({
    ...shared,
    path: '/api/v1/markers/userMarker',
    summary: 'Get the unread total of the viewer over all channels.',
    params: z.object({}),
    document: operation('UserMarkerOfViewer'),
    variables: () => ({}),
    arrays: ['userMarkers'],
  }),
  route({
    ...shared,
    path: '/api/v1/markers/channels',
    summary: 'List the unread totals of the viewer in channels, by internal ids.',
    params: z.object({ channelIds: ids().describe('Internal ids of channels.'), options: pagingOptions() }),
    document: operation('ChannelMarkers'),
    variables: ({ channelIds }) => ({ entityIds: channelIds }),
    arrays: ['userEntityMarkers', 'userMarkers'],
    paging: ['previous'],
  }),
  route({
    ...shared,
    path: '/api/v1/markers/message-feeds',
    summary: 'List the newest segments of message feeds and the positions of the viewer in them.',
    params: z.object({ messageFeedIds: ids(), options: pagingOptions() }),
    document: operation('MessageFeedMarkers'),
    variables: ({ messageFeedIds }) => ({ messageFeedIds }),
    // 6.9 requires the array of totals, which it reads by channels.
    arrays: ['feedMarkers', 'userFeedMarkers', 'userEntityMarkers', 'userMarkers'],
    paging: ['previous'],
  }),
  route({
    ...shared,
    path: '/api/v1/markers/messages',
    summary: 'List how many members have read each of the messages, and the newest segments of their message feeds.',
    params: z.object({ messageIds: ids(), options: pagingOptions() }),
    document: operation('MessageMarkers'),
    variables: ({ messageIds }) => ({ messageIds }),
    arrays: ['contentMarkers', 'feedMarkers', 'userMarkers'],
    paging: ['previous'],
  }),
  route({
    ...shared,
    path: '/api/v1/markers/user-message-feed',
    summary: 'List the positions of the viewer in all message feeds of channels, by internal ids.',
    params: z.object({ channelIds: ids().describe('Internal ids of channels.') }),
    document: operation('UserMessageFeedMarkers'),
    variables: ({ channelIds }) => ({ entityIds: channelIds }),
    arrays: ['userFeedMarkers', 'feedMarkers', 'userMarkers'],
  }),
];
