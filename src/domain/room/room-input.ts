import { z } from 'zod';
import { id, json, text, userIds, whole } from '../input.ts';
import { address, MAX_DESCRIPTION, MAX_TITLE } from '../video-stream/video-stream-input.ts';

const look = {
  description: text({ min: 0, max: MAX_DESCRIPTION }).nullish(),
  thumbnailFileId: id().nullish(),
  metadata: json().nullish(),
};

export const newRoom = z.object({
  title: text({ max: MAX_TITLE }),
  type: z.enum(['directStreaming', 'coHosts']).nullish(),
  targetType: z.enum(['community', 'user']),
  targetId: id(),
  liveChatEnabled: z.boolean().nullish(),
  ...look,
});

export const roomUpdate = z.object({ roomId: id(), title: text({ max: MAX_TITLE }).nullish(), ...look });

export const namedRoom = z.object({ roomId: id() });

export const roomParticipants = z.object({ roomId: id(), userIds: userIds({ max: 20 }) });

/** What a media service reports on a room that goes on. */
export const roomReport = z.object({
  roomId: id(),
  livePlaybackUrl: address().nullish(),
  liveThumbnailUrl: address().nullish(),
  status: z.enum(['live', 'waitingReconnect', 'error']).nullish(),
});

export const roomRecordings = z.object({
  roomId: id(),
  recordedPlaybackInfos: z
    .array(z.object({ url: address(), thumbnailUrl: address() }))
    .min(1, 'at least 1')
    .max(50, 'at most 50'),
});

const label = z.object({
  category: text({ max: 100 }),
  threshold: whole({ min: 0, max: 100 }),
  detectedAt: z.date().nullish(),
});

export const roomModeration = z.object({
  roomId: id(),
  flagLabels: z.array(label).max(50, 'at most 50'),
  terminateLabels: z.array(label).max(50, 'at most 50'),
});
