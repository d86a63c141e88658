import { z } from 'zod';
import { mutation } from '../../documents.ts';
import { id, int, list } from '../../params.ts';
import { route } from '../../route.ts';

const messageFeedId = id(30);
const arrays = ['userMarkers', 'userFeedMarkers', 'userEntityMarkers', 'feedMarkers'];
/** The largest GraphQL `Int`. A segment beyond the last message counts as the last one. */
const MAX_SEGMENT = 2 ** 31 - 1;

const USER_MARKERS = `
  userMarkers: userMarker { ...UserMarkerRecord }
  userFeedMarkers { ...UserFeedMarkerRecord }
  userEntityMarkers { ...UserEntityMarkerRecord }
`;
const MARKERS = `${USER_MARKERS} feedMarkers { ...FeedMarkerRecord }`;
const SYNCED_MARKERS = `${USER_MARKERS} hasMore feedMarkers { ...FeedMarkerRecord }`;

export const moveMarkers = [
  route({
    method: 'PUT',
    path: '/api/v1/markers/message-feeds/:messageFeedId/mark-delivering',
    reference: 'mark-delivered',
    summary: 'Mark the messages of a feed as delivered, up to one of them.',
    params: z.object({ messageFeedId, messageId: id(150) }),
    document: mutation('markDelivering', MARKERS),
    variables: (input) => ({ input }),
    arrays,
  }),
  route({
    method: 'PUT',
    path: '/api/v1/markers/message-feeds/:messageFeedId/mark-read',
    reference: 'mark-read',
    summary: 'Mark the messages of a feed as read, up to a segment.',
    params: z.object({ messageFeedId, readToSegment: int({ min: 0, max: MAX_SEGMENT }) }),
    document: mutation('markRead', MARKERS),
    variables: (input) => ({ input }),
    arrays,
  }),
  route({
    method: 'POST',
    path: '/api/v1/markers/message-feeds/reading',
    reference: 'reading',
    summary: 'Mark message feeds as being read for another minute.',
    params: z.object({ messageFeedIds: list(id(30), { min: 1, max: 100 }) }),
    document: mutation('keepReading', MARKERS),
    variables: (input) => ({ input }),
    arrays,
  }),
  route({
    method: 'POST',
    path: '/api/v1/markers/message-feeds/:messageFeedId/start-reading',
    reference: 'reading',
    summary: 'Start reading a message feed.',
    params: z.object({ messageFeedId }),
    document: mutation('keepReading', MARKERS),
    variables: (params) => ({ input: { messageFeedIds: [params.messageFeedId] } }),
    arrays,
  }),
  route({
    method: 'PUT',
    path: '/api/v1/markers/channels/:channelId/mark-read',
    reference: 'mark-read',
    summary: 'Mark all messages of a channel as read.',
    params: z.object({ channelId: id() }),
    document: mutation('markChannelRead', MARKERS),
    variables: (input) => ({ input }),
    arrays,
  }),
  route({
    method: 'POST',
    path: '/api/v1/markers/sync',
    reference: 'read-markers',
    summary: "List the changes of the caller's markers since the last synchronization of a device.",
    params: z.object({ deviceLastSyncAt: z.iso.datetime({ offset: true }).nullish() }),
    document: mutation('syncMarkers', SYNCED_MARKERS),
    variables: ({ deviceLastSyncAt }) => ({ input: { deviceLastSyncAt: deviceLastSyncAt ?? null } }),
    arrays,
  }),
  // The published documentation spells it `stop-readings`, published clients `stop-reading`.
  ...['stop-reading', 'stop-readings'].map((action) =>
    route({
      method: 'POST',
      path: `/api/v1/markers/message-feeds/:messageFeedId/${action}`,
      reference: 'reading',
      summary: 'Stop reading a message feed.',
      params: z.object({ messageFeedId }),
      document: mutation('stopReading', MARKERS),
      variables: (input) => ({ input }),
      arrays,
    }),
  ),
];
