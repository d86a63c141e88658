import { z } from 'zod';
import {
  ChannelMarkersDocument,
  MessageFeedMarkersDocument,
  MessageMarkersDocument,
  UserMarkerOfViewerDocument,
  UserMessageFeedMarkersDocument,
} from '../../generated/documents.ts';
import { list, listedId, pagingOptions } from '../../params.ts';
import { type Route, route } from '../../route.ts';

/** Clients ask on their own and end when refused (legacy-facts §3): no ids are no fault, the answer is empty. */
const ids = () => list(listedId(150), { max: 100 }).default([]);

/** The caller's markers, as published clients read them. */
export const readMarkers: Route[] = [
  route({
    method: 'GET',
    path: '/api/v1/markers/userMarker',
    section: 'legacy-facts §7',
    summary: "The caller's sum over all channels.",
    params: z.object({}),
    document: UserMarkerOfViewerDocument,
    variables: () => ({}),
    arrays: ['userMarkers'],
  }),
  route({
    method: 'GET',
    path: '/api/v1/markers/channels',
    section: 'legacy-facts §7',
    summary: "The caller's sums over channels, by internal ids.",
    params: z.object({ channelIds: ids() }),
    document: ChannelMarkersDocument,
    variables: ({ channelIds }) => ({ entityIds: channelIds }),
    arrays: ['userEntityMarkers', 'userMarkers'],
  }),
  route({
    method: 'GET',
    path: '/api/v1/markers/message-feeds',
    section: 'legacy-facts §3',
    summary: 'How far message feeds go, and the caller in them.',
    params: z.object({ messageFeedIds: ids(), options: pagingOptions() }),
    document: MessageFeedMarkersDocument,
    variables: ({ messageFeedIds }) => ({ messageFeedIds }),
    arrays: ['feedMarkers', 'userFeedMarkers', 'userMarkers'],
    // All that was asked for comes at once, so there is never another page.
    paging: ['previous'],
  }),
  route({
    method: 'GET',
    path: '/api/v1/markers/messages',
    section: 'legacy-facts §3',
    summary: 'How far the message feeds of messages go.',
    params: z.object({ messageIds: ids() }),
    document: MessageMarkersDocument,
    variables: ({ messageIds }) => ({ messageIds }),
    arrays: ['contentMarkers', 'feedMarkers', 'userMarkers'],
  }),
  route({
    method: 'GET',
    path: '/api/v1/markers/user-message-feed',
    section: 'legacy-facts §3',
    summary: "The caller's positions in all message feeds of channels, by internal ids.",
    params: z.object({ channelIds: ids() }),
    document: UserMessageFeedMarkersDocument,
    variables: ({ channelIds }) => ({ entityIds: channelIds }),
    arrays: ['userFeedMarkers', 'userMarkers'],
  }),
];
