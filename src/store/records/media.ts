import type { BaseRecord, Json } from './base.ts';

export interface FileRecord extends BaseRecord {
  fileId: string;
  altText: string | null;
  type: 'image' | 'file' | 'video' | 'clip' | 'audio';
  accessType: 'public' | 'network';
  userId: string;
  /** True once its bytes are deleted; absent on records older than this field. */
  isDeleted?: boolean;
  attributes: {
    name: string;
    extension: string;
    /** Bytes. */
    size: number;
    mimeType: string;
    metadata: { exif: Json; gps: Json; height: number; width: number; isFull: boolean };
  };
}

export interface StreamUrl {
  url: string;
  components: { origin: string; appName: string; streamName: string; query: string };
}

export interface Recording {
  url: string;
  /** Seconds. */
  duration: number;
  /** Unix seconds. */
  startTime: number;
  stopTime: number;
}

export interface VideoStreamRecord extends BaseRecord {
  streamId: string;
  userId: string;
  userInternalId: string;
  thumbnailFileId: string | null;
  title: string;
  description: string;
  moderationId: string | null;
  postId: string | null;
  channelId: string | null;
  parentStreamId: string | null;
  childStreamIds: string[];
  isLive: boolean;
  isDeleted: boolean;
  channelEnabled: boolean;
  isParent: boolean;
  status: 'idle' | 'live' | 'ended' | 'recorded';
  platform: { name: string; version: string };
  resolution: 'SD' | 'HD' | 'FHD';
  streamerUrl: StreamUrl;
  watcherUrl: { flv: StreamUrl; hls: StreamUrl; rtmp: StreamUrl };
  recordings: Array<{ flv: Recording; mp4: Recording; m3u8: Recording }>;
  metadata: Json;
  startedAt: Date | null;
  endedAt: Date | null;
}

export interface ModerationLabel {
  category: string;
  threshold: number;
  detectedAt: Date;
}

export interface RoomRecord extends BaseRecord {
  roomId: string;
  path: string;
  type: 'directStreaming' | 'coHosts';
  status: 'idle' | 'live' | 'waitingReconnect' | 'ended' | 'recorded' | 'terminated' | 'error';
  targetType: 'community' | 'user';
  targetId: string;
  targetVisibility: 'public' | 'private';
  referenceType: 'post' | 'event';
  referenceId: string;
  liveChannelId: string | null;
  title: string;
  description: string;
  thumbnailFileId: string | null;
  livePlaybackUrl: string | null;
  liveThumbnailUrl: string | null;
  parentRoomId: string | null;
  childRoomIds: string[];
  /** Public id of the creator. */
  createdBy: string;
  creatorInternalId: string;
  deletedBy: string | null;
  liveChatEnabled: boolean;
  isDeleted: boolean;
  participants: Array<{
    userId: string;
    userInternalId: string;
    type: 'host' | 'coHost';
    canManageProductTags: boolean;
  }>;
  recordedPlaybackInfos: Array<{ url: string; thumbnailUrl: string }>;
  durationSeconds: number;
  moderation: { flagLabels: ModerationLabel[]; terminateLabels: ModerationLabel[]; updatedAt: Date } | null;
  metadata: Json;
  liveAt: Date | null;
  endedAt: Date | null;
  recordedAt: Date | null;
  deletedAt: Date | null;
}

export interface PollRecord extends BaseRecord {
  pollId: string;
  userId: string;
  userInternalId: string;
  title: string;
  question: string;
  answerType: 'single' | 'multiple';
  answers: Array<{ id: string; dataType: 'text' | 'image'; data: string; fileId: string | null; voteCount: number }>;
  status: 'open' | 'closed';
  /** Milliseconds from creation to closing. */
  closedIn: number;
  closedAt: Date;
  isDeleted: boolean;
}

export interface PollVoteRecord extends BaseRecord {
  pollId: string;
  userId: string;
  answerIds: string[];
}
