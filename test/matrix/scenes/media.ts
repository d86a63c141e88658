import { roomRecord, videoStreamRecord } from '../../../src/sample/builders/media.ts';
import { createSampleContext } from '../../../src/sample/context.ts';
import type { RoomRecord, VideoStreamRecord } from '../../../src/store/records/media.ts';
import { mutationScene, type Scene } from '../scene.ts';
import { STAGE } from '../stage.ts';
import { postIn } from '../things.ts';
import type { Variables, World } from '../world.ts';

const SHOWN = [
  ['shown by a post in a public community', STAGE.community],
  ['shown by a post in a private community', STAGE.privateCommunity],
] as const;
const OWN = [
  ['one of `author`, shown in a public community', STAGE.community],
  ['one of `author` that no post shows', null],
] as const;
const contextOf = () => createSampleContext({ networkId: 'default', now: new Date() });
const url = 'https://media.test/live/one?key=1';

/** A stream of `author`, with a post that shows it or none. */
async function streamIn(
  world: World,
  communityId: string | null,
  given: Partial<VideoStreamRecord> = {},
): Promise<string> {
  const streamId = world.fresh('stream');
  const postId = communityId && (await postIn(world, communityId)).postId;
  await world.gateway.services.store.collections.videoStreams.insertOne(
    videoStreamRecord(contextOf(), { streamId, userId: 'author', title: 'Stream', postId, ...given }),
  );
  return streamId;
}

async function roomIn(world: World, communityId: string | null, given: Partial<RoomRecord> = {}): Promise<string> {
  const roomId = world.fresh('room');
  const referenceId = communityId ? (await postIn(world, communityId)).postId : '';
  const targetId = communityId ?? 'author';
  const targetType = communityId ? 'community' : 'user';
  await world.gateway.services.store.collections.rooms.insertOne(
    roomRecord(contextOf(), {
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

const STREAM_WRITES: { [operation: string]: { input?: Variables; given?: Partial<VideoStreamRecord> } } = {
  updateVideoStream: { input: { title: 'Anew' } },
  startVideoStream: {},
  stopVideoStream: { given: { status: 'live', isLive: true } },
  deleteVideoStream: {},
};
const ROOM_WRITES: { [operation: string]: { input?: Variables; given?: Partial<RoomRecord> } } = {
  updateRoom: { input: { title: 'Anew' } },
  startRoom: {},
  stopRoom: { given: { status: 'live', liveAt: new Date() } },
  deleteRoom: {},
  addRoomParticipants: { input: { userIds: ['bystander'] }, given: { type: 'coHosts' } },
  removeRoomParticipants: { input: { userIds: ['bystander'] } },
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
  mutationScene(operation, situation, {
    select: 'videoStream { streamId }',
    prepare: async (world) => ({ streamId: await streamIn(world, communityId, one.given), ...one.input }),
  });
const ofRoom = (operation: string, situation: string, communityId: string | null, one: (typeof ROOM_WRITES)[string]) =>
  mutationScene(operation, situation, {
    select: 'room { roomId }',
    prepare: async (world) => ({ roomId: await roomIn(world, communityId, one.given), ...one.input }),
  });

/** The newest of a list, which is the only one that is not shown. */
const isNoneOf = (id: 'streamId' | 'roomId') => (answer: unknown) =>
  !(answer as { edges: Array<{ node: { [id: string]: string } }> }).edges.some(({ node }) =>
    node[id]!.startsWith('un'),
  );

export const MEDIA_SCENES: Scene[] = [
  ...SHOWN.flatMap(([situation, communityId]): Scene[] => [
    {
      operation: 'videoStream',
      situation,
      document: 'query ($streamId: String!) { answer: videoStream(streamId: $streamId) { title } }',
      prepare: async (world) => ({ streamId: await streamIn(world, communityId) }),
    },
    {
      operation: 'room',
      situation,
      document: 'query ($roomId: String!) { answer: room(roomId: $roomId) { title } }',
      prepare: async (world) => ({ roomId: await roomIn(world, communityId) }),
    },
  ]),
  {
    operation: 'videoStreams',
    situation: OWN[1][0],
    document: '{ answer: videoStreams(first: 100) { edges { node { streamId } } } }',
    prepare: async (world) => ({ streamId: await streamIn(world, null, { streamId: world.fresh('unshown') }) }),
    isAbsent: isNoneOf('streamId'),
  },
  {
    operation: 'rooms',
    situation: OWN[1][0],
    document: '{ answer: rooms(first: 100) { edges { node { roomId } } } }',
    prepare: async (world) => ({ roomId: await roomIn(world, null, { roomId: world.fresh('unshown') }) }),
    isAbsent: isNoneOf('roomId'),
  },
  mutationScene('createVideoStream', 'one’s own', {
    select: 'videoStream { streamId }',
    prepare: () => ({ title: 'Stream', channelEnabled: true }),
  }),
  ...(
    [
      ['in a public community', STAGE.community],
      ['in a private community', STAGE.privateCommunity],
    ] as const
  ).map(([situation, targetId]) =>
    mutationScene('createRoom', situation, {
      select: 'room { roomId }',
      prepare: () => ({ title: 'Room', targetType: 'COMMUNITY', targetId }),
    }),
  ),
  ...OWN.flatMap(([situation, communityId]) => [
    ...Object.entries(STREAM_WRITES).map(([operation, one]) => ofStream(operation, situation, communityId, one)),
    ...Object.entries(ROOM_WRITES).map(([operation, one]) => ofRoom(operation, situation, communityId, one)),
  ]),
  ...Object.entries(STREAM_REPORTS).map(([operation, one]) =>
    ofStream(operation, 'without the server key', STAGE.community, one),
  ),
  ...Object.entries(ROOM_REPORTS).map(([operation, one]) =>
    ofRoom(operation, 'without the server key', STAGE.community, one),
  ),
];
