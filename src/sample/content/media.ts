import type {
  FileRecord,
  PollRecord,
  PollVoteRecord,
  RoomRecord,
  VideoStreamRecord,
} from '../../store/records/media.ts';
import { fileRecord, pollRecord, pollVoteRecord, recording, roomRecord, videoStreamRecord } from '../builders/media.ts';
import { type SampleContext, YEAR } from '../context.ts';
import { sampleFiles } from '../pictures.ts';

export function sampleFileRecords(context: SampleContext): FileRecord[] {
  return sampleFiles().map((file, index) => {
    const { fileId, userId, type, altText, extension, mimeType, width, height } = file;
    // Only one picture has EXIF and GPS data.
    const isPhoto = fileId === 'morning-dew';
    const exif = isPhoto ? { Make: 'Pinhole', Model: 'Tin can', ISO: 200 } : {};
    const gps = isPhoto ? { latitude: 53.8, longitude: -1.55 } : {};
    const isFull = type === 'image';
    return fileRecord(context, {
      fileId,
      userId,
      type,
      altText,
      accessType: fileId === 'planting-plan' ? 'network' : 'public',
      attributes: {
        name: `${fileId}.${extension}`,
        extension,
        size: file.content.length,
        mimeType,
        metadata: { exif, gps, height, width, isFull },
      },
      createdAt: context.at(25 + index / 100),
    });
  });
}

/** An open poll, one past its closing time and a deleted one. */
export function samplePolls(context: SampleContext): PollRecord[] {
  const text = { dataType: 'text', fileId: null, voteCount: 0 } as const;
  return [
    pollRecord(context, {
      pollId: 'shared-bed',
      userId: 'alice',
      title: 'The shared bed',
      question: 'What shall we sow?',
      answers: [
        { ...text, id: 'shared-bed-peas', data: 'Peas' },
        { ...text, id: 'shared-bed-beets', data: 'Beets' },
        { ...text, id: 'shared-bed-tomatoes', dataType: 'image', data: 'Tomatoes', fileId: 'tomatoes-red' },
      ],
      closedAt: context.fromNow(YEAR),
      createdAt: context.at(138),
    }),
    pollRecord(context, {
      pollId: 'meeting-days',
      userId: 'bob',
      title: 'When do we meet?',
      question: 'Which days suit you?',
      answerType: 'multiple',
      status: 'closed',
      answers: [
        { ...text, id: 'meeting-days-friday', data: 'Friday' },
        { ...text, id: 'meeting-days-sunday', data: 'Sunday' },
      ],
      closedAt: context.at(1000),
      createdAt: context.at(90),
      updatedAt: context.at(1000),
    }),
    pollRecord(context, {
      pollId: 'best-fertiliser',
      userId: 'ivan',
      title: 'Best fertiliser',
      question: 'Mine or mine?',
      answers: [
        { ...text, id: 'best-fertiliser-mine', data: 'Mine' },
        { ...text, id: 'best-fertiliser-yours', data: 'Also mine' },
      ],
      isDeleted: true,
      closedAt: context.at(2000),
      createdAt: context.at(151),
      updatedAt: context.at(160),
    }),
  ];
}

const VOTES: Array<[pollId: string, userId: string, answerIds: string[]]> = [
  ['shared-bed', 'bob', ['shared-bed-tomatoes']],
  ['shared-bed', 'carol', ['shared-bed-peas']],
  ['shared-bed', 'ivan', ['shared-bed-beets']],
  ['shared-bed', 'mia', ['shared-bed-peas']],
  ['meeting-days', 'alice', ['meeting-days-friday', 'meeting-days-sunday']],
  ['meeting-days', 'carol', ['meeting-days-sunday']],
];

export function samplePollVotes(context: SampleContext): PollVoteRecord[] {
  return VOTES.map(([pollId, userId, answerIds], row) =>
    pollVoteRecord(context, { pollId, userId, answerIds, createdAt: context.at(145 + row) }),
  );
}

/** A live stream with a child stream, a recorded one and a deleted one. */
export function sampleVideoStreams(context: SampleContext): VideoStreamRecord[] {
  const tour = {
    userId: 'alice',
    postId: 'greenhouse-1',
    channelId: 'greenhouse-chat',
    isLive: true,
    status: 'live',
    startedAt: context.at(160),
    createdAt: context.at(159),
  } as const;
  const part = (name: string) => recording(context, { name, startedAt: context.at(166), seconds: 2 });
  return [
    videoStreamRecord(context, {
      ...tour,
      streamId: 'greenhouse-tour',
      title: 'Greenhouse tour',
      description: 'Bench by bench.',
      thumbnailFileId: 'greenhouse-thumbnail',
      moderationId: context.hex('moderation', 'greenhouse-tour'),
      childStreamIds: ['greenhouse-tour-camera-2'],
      channelEnabled: true,
      metadata: { camera: 1 },
    }),
    videoStreamRecord(context, {
      ...tour,
      streamId: 'greenhouse-tour-camera-2',
      title: 'Greenhouse tour, second camera',
      parentStreamId: 'greenhouse-tour',
      isParent: false,
      resolution: 'SD',
    }),
    videoStreamRecord(context, {
      streamId: 'spring-show',
      userId: 'carol',
      title: 'Spring show',
      postId: 'spring-show-1',
      status: 'recorded',
      resolution: 'FHD',
      recordings: [{ flv: part('shoots-low'), mp4: part('shoots-original'), m3u8: part('shoots-medium') }],
      startedAt: context.at(166),
      endedAt: context.at(168),
      createdAt: context.at(164),
      updatedAt: context.at(168),
    }),
    videoStreamRecord(context, {
      streamId: 'camera-test',
      userId: 'alice',
      title: 'Camera test',
      status: 'ended',
      isDeleted: true,
      startedAt: context.at(157),
      endedAt: context.at(158),
      createdAt: context.at(156),
      updatedAt: context.at(158),
    }),
  ];
}

/** A live room with a child room, a recorded one and a deleted one. */
export function sampleRooms(context: SampleContext): RoomRecord[] {
  const participant = (userId: string, type: 'host' | 'coHost') => ({
    userId,
    userInternalId: context.hex('user', userId),
    type,
    canManageProductTags: type === 'host',
  });
  const bench = {
    createdBy: 'bob',
    targetId: 'gardeners',
    referenceId: 'potting-1',
    status: 'live',
    liveAt: context.at(170),
    createdAt: context.at(169),
  } as const;
  return [
    roomRecord(context, {
      ...bench,
      roomId: 'potting-bench',
      title: 'The potting bench',
      description: 'Everybody pots something.',
      type: 'coHosts',
      liveChannelId: 'potting-bench-chat',
      liveChatEnabled: true,
      thumbnailFileId: 'potting-thumbnail',
      livePlaybackUrl: `https://live.${context.networkId}.invalid/rooms/potting-bench.m3u8`,
      liveThumbnailUrl: `https://live.${context.networkId}.invalid/rooms/potting-bench.png`,
      childRoomIds: ['potting-bench-backstage'],
      participants: [participant('bob', 'host'), participant('alice', 'coHost')],
      moderation: {
        flagLabels: [{ category: 'mess', threshold: 60, detectedAt: context.at(171) }],
        terminateLabels: [{ category: 'violence', threshold: 90, detectedAt: context.at(172) }],
        updatedAt: context.at(172),
      },
      metadata: { bench: 'left' },
    }),
    roomRecord(context, {
      ...bench,
      roomId: 'potting-bench-backstage',
      title: 'Backstage',
      parentRoomId: 'potting-bench',
    }),
    roomRecord(context, {
      roomId: 'seed-swap',
      title: 'Seed swap',
      createdBy: 'alice',
      targetId: 'gardeners',
      referenceId: 'seed-swap-1',
      status: 'recorded',
      durationSeconds: 120,
      recordedPlaybackInfos: [
        {
          url: `https://recordings.${context.networkId}.invalid/seed-swap.mp4`,
          thumbnailUrl: `https://recordings.${context.networkId}.invalid/seed-swap.png`,
        },
      ],
      liveAt: context.at(173),
      endedAt: context.at(175),
      recordedAt: context.at(176),
      createdAt: context.at(172),
      updatedAt: context.at(176),
    }),
    roomRecord(context, {
      roomId: 'rehearsal',
      title: 'Rehearsal',
      createdBy: 'alice',
      targetId: 'gardeners',
      referenceId: 'seed-swap-1',
      isDeleted: true,
      deletedBy: 'alice',
      deletedAt: context.at(174),
      createdAt: context.at(171),
      updatedAt: context.at(174),
    }),
  ];
}
