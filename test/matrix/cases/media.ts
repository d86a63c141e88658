import { roomRecord, videoStreamRecord } from '../../../src/sample/builders/media.ts';
import { createSampleContext } from '../../../src/sample/context.ts';
import type { RoomRecord, VideoStreamRecord } from '../../../src/store/records/media.ts';
import { PLACE_IDS } from '../actors.ts';
import { createPost } from '../content.ts';
import type { Fixtures, RestRequest, Variables } from '../fixtures.ts';
import { type MatrixCase, mutationCase } from '../matrix-case.ts';

const SHOWN = [
  ['shown by a post in a public community', PLACE_IDS.community],
  ['shown by a post in a private community', PLACE_IDS.privateCommunity],
] as const;
const OWN = [
  ['one of `author`, shown in a public community', PLACE_IDS.community],
  ['one of `author` that no post shows', null],
] as const;
const createContext = () => createSampleContext({ networkId: 'default', now: new Date() });
const url = 'https://media.test/live/one?key=1';

/** A stream by `author`, with or without a post that shows it. */
async function createStream(
  fixtures: Fixtures,
  communityId: string | null,
  given: Partial<VideoStreamRecord> = {},
): Promise<string> {
  const streamId = fixtures.uniqueId('stream');
  const postId = communityId && (await createPost(fixtures, communityId)).postId;
  await fixtures.gateway.services.store.collections.videoStreams.insertOne(
    videoStreamRecord(createContext(), { streamId, userId: 'author', title: 'Stream', postId, ...given }),
  );
  return streamId;
}

async function createRoom(
  fixtures: Fixtures,
  communityId: string | null,
  given: Partial<RoomRecord> = {},
): Promise<string> {
  const roomId = fixtures.uniqueId('room');
  const referenceId = communityId ? (await createPost(fixtures, communityId)).postId : '';
  const targetId = communityId ?? 'author';
  const targetType = communityId ? 'community' : 'user';
  await fixtures.gateway.services.store.collections.rooms.insertOne(
    roomRecord(createContext(), {
      roomId,
      createdBy: 'author',
      title: 'Room',
      referenceId,
      targetId,
      targetType,
      ...given,
    }),
  );
  return roomId;
}

const streams = '/api/v3/video-streaming';
const STREAM_PATHS: { [operation: string]: (input: { streamId: string }) => RestRequest } = {
  updateVideoStream: (body) => ({ method: 'PUT', path: `${streams}/${body.streamId}`, body }),
  stopVideoStream: ({ streamId }) => ({ method: 'DELETE', path: `${streams}/${streamId}/streaming-url` }),
  deleteVideoStream: ({ streamId }) => ({ method: 'DELETE', path: `${streams}/${streamId}` }),
};

const STREAM_WRITES: { [operation: string]: { input?: Variables; given?: Partial<VideoStreamRecord> } } = {
  updateVideoStream: { input: { title: 'Renamed' } },
  startVideoStream: {},
  stopVideoStream: { given: { status: 'live', isLive: true } },
  deleteVideoStream: {},
};
const ROOM_WRITES: { [operation: string]: { input?: Variables; given?: Partial<RoomRecord> } } = {
  updateRoom: { input: { title: 'Renamed' } },
  startRoom: {},
  stopRoom: { given: { status: 'live', liveAt: new Date() } },
  deleteRoom: {},
  addRoomParticipants: { input: { userIds: ['bystander'] }, given: { type: 'coHosts' } },
  removeRoomParticipants: {
    input: { userIds: ['bystander'] },
    given: {
      type: 'coHosts',
      participants: [{ userId: 'bystander', userInternalId: 'bystander', type: 'coHost', canManageProductTags: false }],
    },
  },
};
const file = { url, duration: 1, startTime: 1, stopTime: 2 };
const STREAM_REPORTS: { [operation: string]: { input: Variables; given?: Partial<VideoStreamRecord> } } = {
  provideVideoStream: { input: { streamerUrl: url, watcherUrl: { flv: url, hls: url, rtmp: url } } },
  recordVideoStream: {
    input: { recordings: [{ flv: file, mp4: file, m3u8: file }] },
    given: { status: 'ended' },
  },
};
const ROOM_REPORTS: { [operation: string]: { input: Variables; given?: Partial<RoomRecord> } } = {
  reportRoom: { input: { livePlaybackUrl: url } },
  recordRoom: { input: { recordedPlaybackInfos: [{ url, thumbnailUrl: url }] }, given: { status: 'ended' } },
  setRoomModeration: { input: { flagLabels: [], terminateLabels: [] } },
};

const ofStream = (
  operation: string,
  situation: string,
  communityId: string | null,
  one: (typeof STREAM_WRITES)[string],
) =>
  mutationCase(operation, situation, {
    select: 'videoStream { streamId }',
    prepare: async (fixtures) => ({ streamId: await createStream(fixtures, communityId, one.given), ...one.input }),
    ...(STREAM_PATHS[operation] && {
      rest: ({ input }: Variables) => STREAM_PATHS[operation]!(input as { streamId: string }),
    }),
  });
const ofRoom = (operation: string, situation: string, communityId: string | null, one: (typeof ROOM_WRITES)[string]) =>
  mutationCase(operation, situation, {
    select: 'room { roomId }',
    prepare: async (fixtures) => ({ roomId: await createRoom(fixtures, communityId, one.given), ...one.input }),
  });

/** The newest stream of a list, the only one without a post. */
const isAbsentFromList = (id: 'streamId' | 'roomId') => (answer: unknown) =>
  !(answer as { edges: Array<{ node: { [id: string]: string } }> }).edges.some(({ node }) =>
    node[id]!.startsWith('un'),
  );

export const MEDIA_CASES: MatrixCase[] = [
  ...SHOWN.flatMap(([situation, communityId]): MatrixCase[] => [
    {
      operation: 'videoStream',
      situation,
      document: 'query ($streamId: String!) { answer: videoStream(streamId: $streamId) { title } }',
      prepare: async (fixtures) => ({ streamId: await createStream(fixtures, communityId) }),
      rest: ({ streamId }) => ({ method: 'GET', path: `${streams}/${streamId}` }),
    },
    {
      operation: 'room',
      situation,
      document: 'query ($roomId: String!) { answer: room(roomId: $roomId) { title } }',
      prepare: async (fixtures) => ({ roomId: await createRoom(fixtures, communityId) }),
    },
  ]),
  {
    operation: 'videoStreams',
    situation: OWN[1][0],
    document: '{ answer: videoStreams(first: 100) { edges { node { streamId } } } }',
    prepare: async (fixtures) => ({
      streamId: await createStream(fixtures, null, { streamId: fixtures.uniqueId('unshown') }),
    }),
    isAbsent: isAbsentFromList('streamId'),
    isAbsentInRest: ({ videoStreamings }) =>
      !videoStreamings.some(({ streamId }: { streamId: string }) => streamId.startsWith('un')),
    rest: () => ({ method: 'GET', path: `${streams}?options[limit]=100` }),
  },
  {
    operation: 'rooms',
    situation: OWN[1][0],
    document: '{ answer: rooms(first: 100) { edges { node { roomId } } } }',
    prepare: async (fixtures) => ({
      roomId: await createRoom(fixtures, null, { roomId: fixtures.uniqueId('unshown') }),
    }),
    isAbsent: isAbsentFromList('roomId'),
  },
  mutationCase('createVideoStream', 'one’s own', {
    select: 'videoStream { streamId }',
    prepare: () => ({ title: 'Stream', channelEnabled: true }),
    rest: ({ input }) => ({ method: 'POST', path: streams, body: input as object }),
  }),
  ...(
    [
      ['in a public community', PLACE_IDS.community],
      ['in a private community', PLACE_IDS.privateCommunity],
    ] as const
  ).map(([situation, targetId]) =>
    mutationCase('createRoom', situation, {
      select: 'room { roomId }',
      prepare: () => ({ title: 'Room', targetType: 'COMMUNITY', targetId }),
    }),
  ),
  ...OWN.flatMap(([situation, communityId]) => [
    ...Object.entries(STREAM_WRITES).map(([operation, one]) => ofStream(operation, situation, communityId, one)),
    ...Object.entries(ROOM_WRITES).map(([operation, one]) => ofRoom(operation, situation, communityId, one)),
  ]),
  ...(
    [
      ['to a live room in a public community', PLACE_IDS.community],
      ['to a live room in a private community', PLACE_IDS.privateCommunity],
    ] as const
  ).map(([situation, communityId]) =>
    mutationCase('addLiveReactions', situation, {
      select: 'reactionIds',
      async prepare(fixtures) {
        const roomId = await createRoom(fixtures, communityId, { status: 'live' });
        const { rooms } = fixtures.gateway.services.store.collections;
        const { referenceId: postId } = (await rooms.findOne({ networkId: 'default', roomId }))!;
        return { postId, roomId, reactions: [{ reactionName: 'clap' }] };
      },
      rest: ({ input }) => {
        const { postId, roomId } = input as { postId: string; roomId: string };
        const reactions = [{ reactionName: 'clap', referencePublicId: postId, referenceType: 'post' }];
        return { method: 'POST', path: '/api/v1/reactions/live', body: { roomId, reactions } };
      },
    }),
  ),
  ...Object.entries(STREAM_REPORTS).map(([operation, one]) =>
    ofStream(operation, 'without the server key', PLACE_IDS.community, one),
  ),
  ...Object.entries(ROOM_REPORTS).map(([operation, one]) =>
    ofRoom(operation, 'without the server key', PLACE_IDS.community, one),
  ),
];
