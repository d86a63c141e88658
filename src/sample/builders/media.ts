import type {
  FileRecord,
  PollRecord,
  PollVoteRecord,
  Recording,
  RoomRecord,
  StreamUrl,
  VideoStreamRecord,
} from '../../store/records/media.ts';
import type { Given, SampleContext } from '../context.ts';
import { baseRecord } from './base.ts';

export function fileRecord(
  context: SampleContext,
  given: Given<FileRecord, 'fileId' | 'type' | 'userId' | 'attributes'>,
): FileRecord {
  return {
    ...baseRecord(context, { kind: 'file', name: given.fileId }, given),
    altText: null,
    accessType: 'public',
    ...given,
  };
}

export function videoStreamRecord(
  context: SampleContext,
  given: Given<VideoStreamRecord, 'streamId' | 'userId' | 'title'>,
): VideoStreamRecord {
  const { streamId } = given;
  return {
    ...baseRecord(context, { kind: 'videoStream', name: streamId }, given),
    userInternalId: context.hex('user', given.userId),
    thumbnailFileId: null,
    description: '',
    moderationId: null,
    postId: null,
    channelId: null,
    parentStreamId: null,
    childStreamIds: [],
    isLive: false,
    isDeleted: false,
    channelEnabled: false,
    isParent: true,
    status: 'idle',
    platform: { name: 'web', version: '1.0' },
    resolution: 'HD',
    streamerUrl: streamUrl(context, { streamId, protocol: 'rtmp', query: `key=${context.hex('streamKey', streamId)}` }),
    watcherUrl: {
      flv: streamUrl(context, { streamId, protocol: 'http', suffix: '.flv' }),
      hls: streamUrl(context, { streamId, protocol: 'http', suffix: '.m3u8' }),
      rtmp: streamUrl(context, { streamId, protocol: 'rtmp' }),
    },
    recordings: [],
    metadata: {},
    startedAt: null,
    endedAt: null,
    ...given,
  };
}

interface StreamAddress {
  streamId: string;
  protocol: 'rtmp' | 'http';
  suffix?: string;
  query?: string;
}

/** URLs under the reserved domain `.invalid` (RFC 2606), which never resolves: the sample has no media server. */
function streamUrl(context: SampleContext, address: StreamAddress): StreamUrl {
  const origin = `${address.protocol}://live.${context.networkId}.invalid`;
  const streamName = `${address.streamId}${address.suffix ?? ''}`;
  const query = address.query ?? 'viewer=1';
  return {
    url: `${origin}/watch/${streamName}?${query}`,
    components: { origin, appName: 'watch', streamName, query },
  };
}

export function recording(context: SampleContext, part: { name: string; startedAt: Date; seconds: number }): Recording {
  const startTime = Math.floor(part.startedAt.getTime() / 1000);
  return {
    url: `https://recordings.${context.networkId}.invalid/${part.name}.mp4`,
    duration: part.seconds,
    startTime,
    stopTime: startTime + part.seconds,
  };
}

export function roomRecord(
  context: SampleContext,
  given: Given<RoomRecord, 'roomId' | 'title' | 'createdBy' | 'targetId' | 'referenceId'>,
): RoomRecord {
  const base = baseRecord(context, { kind: 'room', name: given.roomId }, given);
  const creatorInternalId = context.hex('user', given.createdBy);
  return {
    ...base,
    path: `${context.networkId}/room/${base._id.toHexString()}`,
    type: 'directStreaming',
    status: 'idle',
    targetType: 'community',
    targetVisibility: 'public',
    referenceType: 'post',
    liveChannelId: null,
    description: '',
    thumbnailFileId: null,
    livePlaybackUrl: null,
    liveThumbnailUrl: null,
    parentRoomId: null,
    childRoomIds: [],
    creatorInternalId,
    deletedBy: null,
    liveChatEnabled: false,
    isDeleted: false,
    participants: [
      { userId: given.createdBy, userInternalId: creatorInternalId, type: 'host', canManageProductTags: true },
    ],
    recordedPlaybackInfos: [],
    durationSeconds: 0,
    moderation: null,
    metadata: {},
    liveAt: null,
    endedAt: null,
    recordedAt: null,
    deletedAt: null,
    ...given,
  };
}

export function pollRecord(
  context: SampleContext,
  given: Given<PollRecord, 'pollId' | 'userId' | 'question' | 'answers' | 'closedAt'>,
): PollRecord {
  const base = baseRecord(context, { kind: 'poll', name: given.pollId }, given);
  return {
    ...base,
    userInternalId: context.hex('user', given.userId),
    title: '',
    answerType: 'single',
    status: 'open',
    closedIn: given.closedAt.getTime() - base.createdAt.getTime(),
    isDeleted: false,
    ...given,
  };
}

export function pollVoteRecord(
  context: SampleContext,
  given: Given<PollVoteRecord, 'pollId' | 'userId' | 'answerIds'>,
): PollVoteRecord {
  return { ...baseRecord(context, { kind: 'pollVote', name: `${given.pollId}/${given.userId}` }, given), ...given };
}
