import { z } from 'zod';
import { mutation } from '../../documents.ts';
import { forMutation, operationParams } from '../../operation-params.ts';
import { id, list } from '../../params.ts';
import { route } from '../../route.ts';

const arrays = ['userMarkers', 'userFeedMarkers', 'userEntityMarkers', 'feedMarkers'];
const messageFeedId = id();
/** The published bound is tighter than that of the operation. */
const messageId = id(150);

const USER_MARKERS = `
  userMarkers: userMarker { ...UserMarkerRecord }
  userFeedMarkers { ...UserFeedMarkerRecord }
  userEntityMarkers { ...UserEntityMarkerRecord }
`;
const MARKERS = `${USER_MARKERS} feedMarkers { ...FeedMarkerRecord }`;
const SYNCED_MARKERS = `${USER_MARKERS} hasMore feedMarkers { ...FeedMarkerRecord }`;

export const moveMarkers = [
  route({
    ...forMutation('markDelivering', MARKERS),
    method: 'PUT',
    path: '/api/v1/markers/message-feeds/:messageFeedId/mark-delivering',
    reference: 'mark-delivered',
    summary: 'Mark the messages of a message feed as delivered, up to a message.',
    params: operationParams('markDelivering').extend({ messageFeedId, messageId }),
    arrays,
  }),
  route({
    ...forMutation('markRead', MARKERS),
    method: 'PUT',
    path: '/api/v1/markers/message-feeds/:messageFeedId/mark-read',
    reference: 'mark-read',
    summary: 'Mark the messages of a message feed as read, up to a segment.',
    params: operationParams('markRead').extend({ messageFeedId }),
    arrays,
  }),
  route({
    ...forMutation('keepReading', MARKERS),
    method: 'POST',
    path: '/api/v1/markers/message-feeds/reading',
    reference: 'reading',
    summary: 'Keep reading message feeds: new messages in them do not count as unread for 60 seconds.',
    params: z.object({ messageFeedIds: list(messageFeedId, { min: 1, max: 100 }) }),
    arrays,
  }),
  route({
    method: 'POST',
    path: '/api/v1/markers/message-feeds/:messageFeedId/start-reading',
    reference: 'reading',
    summary: 'Start reading a message feed: new messages in it do not count as unread for 60 seconds.',
    // The path names one feed, the operation expects a list.
    params: z.object({ messageFeedId }),
    document: mutation('keepReading', MARKERS),
    variables: (params) => ({ input: { messageFeedIds: [params.messageFeedId] } }),
    arrays,
  }),
  route({
    ...forMutation('markChannelRead', MARKERS),
    method: 'PUT',
    path: '/api/v1/markers/channels/:channelId/mark-read',
    reference: 'mark-read',
    summary: 'Mark all messages of a channel as read.',
    arrays,
  }),
  route({
    ...forMutation('syncMarkers', SYNCED_MARKERS, { absentAsNull: true }),
    method: 'POST',
    path: '/api/v1/markers/sync',
    reference: 'read-markers',
    summary: 'List the markers of the viewer that changed since the last synchronization of a device.',
    // Unlike other times in bodies, this one may have an offset from UTC.
    params: z.object({ deviceLastSyncAt: z.iso.datetime({ offset: true }).nullish() }),
    arrays,
  }),
  // The published documentation spells it `stop-readings`, published clients `stop-reading`.
  ...['stop-reading', 'stop-readings'].map((action) =>
    route({
      ...forMutation('stopReading', MARKERS),
      method: 'POST',
      path: `/api/v1/markers/message-feeds/:messageFeedId/${action}`,
      reference: 'reading',
      summary: 'Stop reading a message feed.',
      params: z.object({ messageFeedId }),
      arrays,
    }),
  ),
];
