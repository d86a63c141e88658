import type { Recording, StreamUrl, VideoStreamRecord } from '../../src/store/records/media.ts';
import { builder } from '../builder.ts';

const StreamUrlComponents = builder.objectRef<StreamUrl['components']>('StreamUrlComponents').implement({
  description: 'Parts of a stream URL.',
  fields: (t) => ({
    origin: t.exposeString('origin', { description: 'Protocol and host.' }),
    appName: t.exposeString('appName', { description: 'First part of the path.' }),
    streamName: t.exposeString('streamName', { description: 'Last part of the path.' }),
    query: t.exposeString('query', { description: 'Query string, without the question mark.' }),
  }),
});

export const StreamUrlType = builder.objectRef<StreamUrl>('StreamUrl').implement({
  description: 'URL to which a video stream is sent or where it is watched.',
  fields: (t) => ({
    url: t.exposeString('url', { description: 'The whole URL.' }),
    components: t.expose('components', { type: StreamUrlComponents, description: 'Parts of the URL.' }),
  }),
});

export const WatcherUrls = builder.objectRef<VideoStreamRecord['watcherUrl']>('WatcherUrls').implement({
  description: 'URLs where a video stream is watched, by protocol.',
  fields: (t) => ({
    flv: t.expose('flv', { type: StreamUrlType, description: 'HTTP-FLV.' }),
    hls: t.expose('hls', { type: StreamUrlType, description: 'HLS.' }),
    rtmp: t.expose('rtmp', { type: StreamUrlType, description: 'RTMP.' }),
  }),
});

const RecordingFile = builder.objectRef<Recording>('RecordingFile').implement({
  description: 'A recording in one format.',
  fields: (t) => ({
    url: t.exposeString('url', { description: 'URL.' }),
    duration: t.exposeInt('duration', { description: 'Duration in seconds.' }),
    startTime: t.exposeInt('startTime', { description: 'Start as a Unix time in seconds.' }),
    stopTime: t.exposeInt('stopTime', { description: 'End as a Unix time in seconds.' }),
  }),
});

export const StreamRecording = builder.objectRef<VideoStreamRecord['recordings'][number]>('StreamRecording').implement({
  description: 'A recording, by format.',
  fields: (t) => ({
    flv: t.expose('flv', { type: RecordingFile, description: 'FLV.' }),
    mp4: t.expose('mp4', { type: RecordingFile, description: 'MP4.' }),
    m3u8: t.expose('m3u8', { type: RecordingFile, description: 'HLS playlist.' }),
  }),
});

export const Platform = builder.objectRef<VideoStreamRecord['platform']>('StreamPlatform').implement({
  description: 'Software that sends a video stream.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name.' }),
    version: t.exposeString('version', { description: 'Version.' }),
  }),
});
