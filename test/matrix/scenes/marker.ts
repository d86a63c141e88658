import { mutationScene, type Scene } from '../scene.ts';
import { STAGE } from '../stage.ts';
import { messageIn } from '../things.ts';
import type { RestRequest, Variables, World } from '../world.ts';

const PLACES = [
  ['in a public channel', STAGE.channel],
  ['in a private channel', STAGE.privateChannel],
] as const;
const isEmpty = (answer: unknown) => (answer as unknown[]).length === 0;
const select = 'userFeedMarkers { feedId }';
const BASE = '/api/v1/markers/message-feeds';
const of = (variables: Variables) => variables.input as { [name: string]: string };

async function idsIn(world: World, channelId: string) {
  const { messageId, messageFeedId, channelInternalId } = await messageIn(world, channelId);
  return { messageId, messageFeedId, channelInternalId };
}

function moving(
  operation: string,
  [situation, channelId]: readonly [string, string],
  input: (ids: Awaited<ReturnType<typeof idsIn>>) => object,
  rest: (variables: Variables) => RestRequest,
  selection = select,
): Scene {
  return mutationScene(operation, situation, {
    select: selection,
    prepare: async (world) => input(await idsIn(world, channelId)) as Variables,
    rest,
  });
}

const listed = (
  operation: string,
  [situation, channelId]: readonly [string, string],
  argument: string,
  of: keyof Awaited<ReturnType<typeof idsIn>>,
): Scene => ({
  operation,
  situation,
  document: `query ($ids: [String!]!) { answer: ${operation}(${argument}: $ids) { entityId } }`,
  prepare: async (world) => ({ ids: [(await idsIn(world, channelId))[of]] }),
  isAbsent: isEmpty,
});

export const MARKER_SCENES: Scene[] = [
  {
    operation: 'viewerMarker',
    situation: 'one’s own',
    document: '{ answer: viewerMarker { unreadCount } }',
    prepare: () => ({}),
    rest: () => ({ method: 'GET', path: '/api/v1/markers/userMarker' }),
  },
  mutationScene('syncMarkers', 'one’s own', {
    select: 'hasMore',
    prepare: () => ({}),
    rest: () => ({ method: 'POST', path: '/api/v1/markers/sync', body: {} }),
  }),
  listed('viewerEntityMarkers', ['of a public channel', STAGE.channel], 'entityIds', 'channelInternalId'),
  listed('viewerFeedMarkersOfChannels', ['of a public channel', STAGE.channel], 'entityIds', 'channelInternalId'),
  listed('viewerFeedMarkers', PLACES[0], 'messageFeedIds', 'messageFeedId'),
  moving(
    'keepReading',
    PLACES[0],
    ({ messageFeedId }) => ({ messageFeedIds: [messageFeedId] }),
    (variables) => ({ method: 'POST', path: `${BASE}/reading`, body: variables.input as object }),
  ),
  ...PLACES.flatMap((place) => [
    listed('feedMarkers', place, 'messageFeedIds', 'messageFeedId'),
    listed('feedMarkersOfMessages', place, 'messageIds', 'messageId'),
    moving(
      'markDelivering',
      place,
      ({ messageFeedId, messageId }) => ({ messageFeedId, messageId }),
      (variables) => {
        const { messageFeedId, ...body } = of(variables);
        return { method: 'PUT', path: `${BASE}/${messageFeedId}/mark-delivering`, body };
      },
    ),
    moving(
      'markRead',
      place,
      ({ messageFeedId }) => ({ messageFeedId, readToSegment: 1 }),
      (variables) => {
        const { messageFeedId, ...body } = of(variables);
        return { method: 'PUT', path: `${BASE}/${messageFeedId}/mark-read`, body };
      },
    ),
    moving(
      'stopReading',
      place,
      ({ messageFeedId }) => ({ messageFeedId }),
      (variables) => ({ method: 'POST', path: `${BASE}/${of(variables).messageFeedId}/stop-reading` }),
    ),
    moving(
      'markChannelRead',
      place,
      ({ channelInternalId }) => ({ channelId: channelInternalId }),
      (variables) => ({ method: 'PUT', path: `/api/v1/markers/channels/${of(variables).channelId}/mark-read` }),
    ),
    moving(
      'markChannelsSeen',
      place,
      () => ({ channels: [{ channelId: place[1] }] }),
      () => ({ method: 'POST', path: `/api/v3/channels/${place[1]}/seen`, body: {} }),
      'channels { channelId }',
    ),
  ]),
];
