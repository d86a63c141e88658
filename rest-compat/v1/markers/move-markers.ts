import { z } from 'zod';
import {
  KeepRestReadingDocument,
  MarkRestChannelReadDocument,
  MarkRestDeliveringDocument,
  MarkRestReadDocument,
  StopRestReadingDocument,
  SyncRestMarkersDocument,
} from '../../generated/documents.ts';
import { id, int, list } from '../../params.ts';
import { type Route, route } from '../../route.ts';

const messageFeedId = id(30);
const arrays = ['userMarkers', 'userFeedMarkers', 'userEntityMarkers', 'feedMarkers'];
/** The largest number a GraphQL integer holds; what lies beyond the last segment counts as the last one anyway. */
const MAX_SEGMENT = 2 ** 31 - 1;

/** Everything that moves the caller's markers. */
export const moveMarkers: Route[] = [
  route({
    method: 'PUT',
    path: '/api/v1/markers/message-feeds/:messageFeedId/mark-delivering',
    section: 'interface §4.7',
    summary: 'Mark the messages of a feed as delivered, up to one of them.',
    params: z.object({ messageFeedId, messageId: id(150) }),
    document: MarkRestDeliveringDocument,
    variables: (input) => ({ input }),
    arrays,
  }),
  route({
    method: 'PUT',
    path: '/api/v1/markers/message-feeds/:messageFeedId/mark-read',
    section: 'interface §4.7',
    summary: 'Mark the messages of a feed as read, up to a segment.',
    params: z.object({ messageFeedId, readToSegment: int({ min: 0, max: MAX_SEGMENT }) }),
    document: MarkRestReadDocument,
    variables: (input) => ({ input }),
    arrays,
  }),
  route({
    method: 'POST',
    path: '/api/v1/markers/message-feeds/reading',
    section: 'interface §4.7',
    summary: 'Keep message feeds as being read for another minute.',
    params: z.object({ messageFeedIds: list(id(30), { min: 1, max: 100 }) }),
    document: KeepRestReadingDocument,
    variables: (input) => ({ input }),
    arrays,
  }),
  route({
    method: 'POST',
    path: '/api/v1/markers/message-feeds/:messageFeedId/start-reading',
    section: 'legacy-facts §3',
    summary: 'Begin to read a message feed.',
    params: z.object({ messageFeedId }),
    document: KeepRestReadingDocument,
    variables: (params) => ({ input: { messageFeedIds: [params.messageFeedId] } }),
    arrays,
  }),
  route({
    method: 'PUT',
    path: '/api/v1/markers/channels/:channelId/mark-read',
    section: 'legacy-facts §7',
    summary: 'Mark everything in a channel as read.',
    params: z.object({ channelId: id() }),
    document: MarkRestChannelReadDocument,
    variables: (input) => ({ input }),
    arrays,
  }),
  route({
    method: 'POST',
    path: '/api/v1/markers/sync',
    section: 'legacy-facts §7',
    summary: "What changed in the caller's markers since a device last asked.",
    params: z.object({ deviceLastSyncAt: z.iso.datetime({ offset: true }).nullish() }),
    document: SyncRestMarkersDocument,
    variables: ({ deviceLastSyncAt }) => ({ input: { deviceLastSyncAt: deviceLastSyncAt ?? null } }),
    arrays,
  }),
  // The documents of the interface's makers spell it with an s, their clients without.
  ...['stop-reading', 'stop-readings'].map((verb) =>
    route({
      method: 'POST',
      path: `/api/v1/markers/message-feeds/:messageFeedId/${verb}`,
      section: 'legacy-facts §3',
      summary: 'Stop reading a message feed.',
      params: z.object({ messageFeedId }),
      document: StopRestReadingDocument,
      variables: (input) => ({ input }),
      arrays,
    }),
  ),
];
