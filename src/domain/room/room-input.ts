import { z } from 'zod';
import { id, integer, json, text, userIds, withoutNull } from '../input.ts';
import { address, MAX_DESCRIPTION, MAX_TITLE } from '../video-stream/video-stream-input.ts';

const details = {
  description: text({ min: 0, max: MAX_DESCRIPTION }).nullish().describe('Description.'),
  thumbnailFileId: id().nullish().describe('File id of the thumbnail: an image that the viewer uploaded.'),
  metadata: json().nullish().describe('Free-form data of the application, at most 64 KiB.'),
};

export const createRoomInput = z.object({
  title: text({ max: MAX_TITLE }).describe('Title.'),
  type: z
    .enum(['directStreaming', 'coHosts'])
    .nullish()
    .describe('Kind of room: whether the host streams alone, which is the default, or with co-hosts.'),
  targetType: z.enum(['community', 'user']).describe('Kind of place in which the room is opened.'),
  targetId: id().describe('Public id of the community, or of the viewer.'),
  liveChatEnabled: z
    .boolean()
    .nullish()
    .describe('Whether to create a chat channel, with the viewer as its moderator. Default: false.'),
  ...details,
});

export const roomIdInput = z.object({ roomId: id().describe('Public id of the room.') });
export const updateRoomInput = roomIdInput.extend({
  title: withoutNull(text({ max: MAX_TITLE }).describe('Title.')),
  ...details,
});

export const roomParticipantsInput = roomIdInput.extend({
  userIds: userIds({ max: 20 }).describe('Public ids of the users.'),
});

/** Report of a media service on a room that has not ended. */
export const reportRoomInput = roomIdInput.extend({
  livePlaybackUrl: address().nullish().describe('URL where the live room is watched.'),
  liveThumbnailUrl: address().nullish().describe('URL of the thumbnail of the live room.'),
  status: z.enum(['live', 'waitingReconnect', 'error']).nullish().describe('State of the connection.'),
});

export const recordedPlayback = z.object({
  url: address().describe('URL of the recording.'),
  thumbnailUrl: address().describe('URL of its thumbnail.'),
});
export const recordRoomInput = roomIdInput.extend({
  recordedPlaybackInfos: z
    .array(recordedPlayback)
    .min(1, 'at least 1')
    .max(50, 'at most 50')
    .describe('All recordings; they replace those reported before.'),
});

export const moderationLabel = z.object({
  category: text({ max: 100 }).describe('Detected category.'),
  threshold: integer({ min: 0, max: 100 }).describe('Confidence threshold in percent.'),
  detectedAt: z.date().nullish().describe('Time of detection; now by default.'),
});

export const setRoomModerationInput = roomIdInput.extend({
  flagLabels: z.array(moderationLabel).max(50, 'at most 50').describe('Labels that flag the room.'),
  terminateLabels: z.array(moderationLabel).max(50, 'at most 50').describe('Labels that end the room.'),
});
