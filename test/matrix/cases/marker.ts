import { PLACE_IDS } from '../actors.ts';
import { createMessage } from '../content.ts';
import type { Fixtures, Variables } from '../fixtures.ts';
import { emptyIn, type MatrixCase, mutationCase, type Rest } from '../matrix-case.ts';

const PLACES = [
  ['in a public channel', PLACE_IDS.channel],
  ['in a private channel', PLACE_IDS.privateChannel],
] as const;
const isEmpty = (answer: unknown) => (answer as unknown[]).length === 0;
const select = 'userFeedMarkers { feedId }';
const BASE = '/api/v1/markers/message-feeds';
const of = (variables: Variables) => variables.input as { [name: string]: string };

async function idsIn(fixtures: Fixtures, channelId: string) {
  const { messageId, messageFeedId, channelInternalId } = await createMessage(fixtures, channelId);
  return { messageId, messageFeedId, channelInternalId };
}

function markerMutation(
  operation: string,
  [situation, channelId]: readonly [string, string],
  input: (ids: Awaited<ReturnType<typeof idsIn>>) => object,
  rest: Rest | Rest[],
  selection = select,
): MatrixCase {
  return mutationCase(operation, situation, {
    select: selection,
    prepare: async (fixtures) => input(await idsIn(fixtures, channelId)) as Variables,
    rest,
  });
}

const markerList = (
  operation: string,
  [situation, channelId]: readonly [string, string],
  argument: string,
  of: keyof Awaited<ReturnType<typeof idsIn>>,
  { path, array }: { path: string; array: string },
): MatrixCase => ({
  operation,
  situation,
  document: `query ($ids: [String!]!) { answer: ${operation}(${argument}: $ids) { entityId } }`,
  prepare: async (fixtures) => ({ ids: [(await idsIn(fixtures, channelId))[of]] }),
  isAbsent: isEmpty,
  isAbsentInRest: emptyIn(array),
  rest: ({ ids }) => ({ method: 'GET', path: `/api/v1/markers/${path}=${ids}` }),
});

export const MARKER_CASES: MatrixCase[] = [
  {
    operation: 'viewerMarker',
    situation: 'one’s own',
    document: '{ answer: viewerMarker { unreadCount } }',
    prepare: () => ({}),
    rest: () => ({ method: 'GET', path: '/api/v1/markers/userMarker' }),
  },
  mutationCase('syncMarkers', 'one’s own', {
    select: 'hasMore',
    prepare: () => ({}),
    rest: () => ({ method: 'POST', path: '/api/v1/markers/sync', body: {} }),
  }),
  markerList('viewerEntityMarkers', ['of a public channel', PLACE_IDS.channel], 'entityIds', 'channelInternalId', {
    path: 'channels?channelIds',
    array: 'userEntityMarkers',
  }),
  markerList(
    'viewerFeedMarkersOfChannels',
    ['of a public channel', PLACE_IDS.channel],
    'entityIds',
    'channelInternalId',
    {
      path: 'user-message-feed?channelIds',
      array: 'userFeedMarkers',
    },
  ),
  markerList('viewerFeedMarkers', PLACES[0], 'messageFeedIds', 'messageFeedId', {
    path: 'message-feeds?messageFeedIds',
    array: 'userFeedMarkers',
  }),
  markerMutation('keepReading', PLACES[0], ({ messageFeedId }) => ({ messageFeedIds: [messageFeedId] }), [
    ({ input }) => ({ method: 'POST', path: `${BASE}/reading`, body: input as object }),
    ({ input }) => {
      const { messageFeedIds } = input as { messageFeedIds: string[] };
      return { method: 'POST', path: `${BASE}/${messageFeedIds[0]}/start-reading` };
    },
  ]),
  ...PLACES.flatMap((place) => [
    markerList('feedMarkers', place, 'messageFeedIds', 'messageFeedId', {
      path: 'message-feeds?messageFeedIds',
      array: 'feedMarkers',
    }),
    markerList('messageMarkers', place, 'messageIds', 'messageId', {
      path: 'messages?messageIds',
      array: 'contentMarkers',
    }),
    markerList('feedMarkersOfMessages', place, 'messageIds', 'messageId', {
      path: 'messages?messageIds',
      array: 'feedMarkers',
    }),
    markerMutation(
      'markDelivering',
      place,
      ({ messageFeedId, messageId }) => ({ messageFeedId, messageId }),
      (variables) => {
        const { messageFeedId, ...body } = of(variables);
        return { method: 'PUT', path: `${BASE}/${messageFeedId}/mark-delivering`, body };
      },
    ),
    markerMutation(
      'markRead',
      place,
      ({ messageFeedId }) => ({ messageFeedId, readToSegment: 1 }),
      (variables) => {
        const { messageFeedId, ...body } = of(variables);
        return { method: 'PUT', path: `${BASE}/${messageFeedId}/mark-read`, body };
      },
    ),
    markerMutation(
      'stopReading',
      place,
      ({ messageFeedId }) => ({ messageFeedId }),
      ['stop-reading', 'stop-readings'].map((verb) => (variables) => ({
        method: 'POST',
        path: `${BASE}/${of(variables).messageFeedId}/${verb}`,
      })),
    ),
    markerMutation(
      'markChannelRead',
      place,
      ({ channelInternalId }) => ({ channelId: channelInternalId }),
      (variables) => ({ method: 'PUT', path: `/api/v1/markers/channels/${of(variables).channelId}/mark-read` }),
    ),
    markerMutation(
      'markChannelsSeen',
      place,
      () => ({ channels: [{ channelId: place[1] }] }),
      [
        () => ({ method: 'POST', path: `/api/v3/channels/${place[1]}/seen`, body: {} }),
        ({ input }) => ({ method: 'POST', path: '/api/v3/channels/seen', body: input as object }),
      ],
      'channels { channelId }',
    ),
  ]),
];
