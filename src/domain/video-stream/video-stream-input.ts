import { z } from 'zod';
import { id, integer, json, MAX_INT, text, withoutNull } from '../input.ts';

export const MAX_TITLE = 150;
export const MAX_DESCRIPTION = 1_000;
/** Maximum child streams of a stream. */
export const MAX_CHILD_STREAMS = 20;

const details = {
  description: text({ min: 0, max: MAX_DESCRIPTION }).nullish().describe('Description.'),
  thumbnailFileId: id().nullish().describe('File id of the thumbnail: an image that the viewer uploaded.'),
  metadata: json().nullish().describe('Free-form data of the application, at most 64 KiB.'),
};

export const streamPlatform = z.object({
  name: text({ min: 0, max: 100 }).describe('Name.'),
  version: text({ min: 0, max: 100 }).describe('Version.'),
});

export const createVideoStreamInput = z.object({
  title: text({ max: MAX_TITLE }).describe('Title.'),
  resolution: z.enum(['SD', 'HD', 'FHD']).nullish().describe('Resolution; HD by default.'),
  platform: streamPlatform.nullish().describe('Software that sends the stream.'),
  channelEnabled: z
    .boolean()
    .nullish()
    .describe('Whether to create a chat channel, with the viewer as its moderator. Default: false.'),
  parentStreamId: id().nullish().describe('Public id of the parent video stream, which the viewer owns.'),
  ...details,
});

export const streamIdInput = z.object({ streamId: id().describe('Public id of the video stream.') });

export const updateVideoStreamInput = streamIdInput.extend({
  title: withoutNull(text({ max: MAX_TITLE }).describe('Title.')),
  ...details,
});

/** A URL of a media service. */
export const address = () =>
  text({ max: 2_000 }).refine((value) => /^(https?|rtmps?|wss?):\/\/[^\s/]/.test(value) && URL.canParse(value), {
    message: 'must be a URL with the scheme http, https, rtmp, rtmps, ws or wss',
  });

export const recordingFile = z
  .object({
    url: address().describe('URL of the file.'),
    duration: integer({ min: 0, max: MAX_INT }).describe('Duration in seconds.'),
    startTime: integer({ min: 0, max: MAX_INT }).describe('Start as a Unix time in seconds.'),
    stopTime: integer({ min: 0, max: MAX_INT }).describe('End as a Unix time in seconds.'),
  })
  .refine(({ startTime, stopTime }) => startTime <= stopTime, 'stopTime must not be before startTime');

export const watcherUrl = z.object({
  flv: address().describe('HTTP-FLV.'),
  hls: address().describe('HLS.'),
  rtmp: address().describe('RTMP.'),
});
export const provideVideoStreamInput = streamIdInput.extend({
  streamerUrl: address().describe('URL to which the stream is sent.'),
  watcherUrl: watcherUrl.describe('URLs where the stream is watched.'),
});

export const streamRecording = z.object({
  flv: recordingFile.describe('FLV.'),
  mp4: recordingFile.describe('MP4.'),
  m3u8: recordingFile.describe('HLS playlist.'),
});
export const recordVideoStreamInput = streamIdInput.extend({
  recordings: z
    .array(streamRecording)
    .min(1, 'at least 1')
    .max(50, 'at most 50')
    .describe('All recordings; they replace those reported before.'),
  moderationId: id(100).nullish().describe('Id of the moderation record.'),
});
