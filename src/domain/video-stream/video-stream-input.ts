import { z } from 'zod';
import { id, json, text, whole } from '../input.ts';

export const MAX_TITLE = 150;
export const MAX_DESCRIPTION = 1_000;

const look = {
  description: text({ min: 0, max: MAX_DESCRIPTION }).nullish(),
  thumbnailFileId: id().nullish(),
  metadata: json().nullish(),
};

export const newVideoStream = z.object({
  title: text({ max: MAX_TITLE }),
  resolution: z.enum(['SD', 'HD', 'FHD']).nullish(),
  platform: z.object({ name: text({ min: 0, max: 100 }), version: text({ min: 0, max: 100 }) }).nullish(),
  channelEnabled: z.boolean().nullish(),
  ...look,
});

export const videoStreamUpdate = z.object({
  streamId: id(),
  title: text({ max: MAX_TITLE }).nullish(),
  ...look,
});

/** An address of a media service. */
export const address = () =>
  text({ max: 2_000 }).refine((value) => /^(https?|rtmps?|wss?):\/\/[^\s/]/.test(value) && URL.canParse(value), {
    message: 'must be an address: http, https, rtmp, rtmps, ws or wss',
  });

const recording = z
  .object({
    url: address(),
    duration: whole({ min: 0, max: 2 ** 31 - 1 }),
    startTime: whole({ min: 0, max: 2 ** 31 - 1 }),
    stopTime: whole({ min: 0, max: 2 ** 31 - 1 }),
  })
  .refine(({ startTime, stopTime }) => startTime <= stopTime, 'must not stop before it starts');

export const videoStreamAddresses = z.object({
  streamId: id(),
  streamerUrl: address(),
  watcherUrl: z.object({ flv: address(), hls: address(), rtmp: address() }),
});

export const videoStreamRecordings = z.object({
  streamId: id(),
  recordings: z
    .array(z.object({ flv: recording, mp4: recording, m3u8: recording }))
    .min(1, 'at least 1')
    .max(50, 'at most 50'),
  moderationId: id(100).nullish(),
});
