import { chatEvent, chatOf, createStream } from './content-fixtures.ts';
import type { CaseContext, EventCase, ExpectedEvent } from './event-case.ts';

const streamEvent = (change: string, streamId: string) =>
  [`video-streaming.${change}`, `default/videostreaming/${streamId}`, { streamId }] as unknown as ExpectedEvent;
const select = 'videoStream { streamId }';

const url = 'https://media.test/live/a';
const file = { url, duration: 1, startTime: 1, stopTime: 2 };
const recordings = [{ flv: file, mp4: file, m3u8: file }];
const addresses = { streamerUrl: url, watcherUrl: { flv: url, hls: url, rtmp: url } };

async function createLiveStream(context: CaseContext, fields: object = {}) {
  const created = await createStream(context, fields);
  await context.mutate('alice', 'startVideoStream', { streamId: created.streamId }, 'clientMutationId');
  return created;
}

export const VIDEO_STREAM_CASES: EventCase[] = [
  {
    operation: 'createVideoStream',
    situation: 'without a chat',
    prepare: () => ({
      input: { title: 'An example' },
      select,
      events: ({ videoStream }) => [streamEvent('created', videoStream.streamId)],
    }),
  },
  {
    operation: 'createVideoStream',
    situation: 'with a chat',
    prepare: () => ({
      input: { title: 'An example', channelEnabled: true },
      select,
      events: async ({ videoStream }, context) => [
        streamEvent('created', videoStream.streamId),
        chatEvent('channel.created', await chatOf(context, videoStream)),
      ],
    }),
  },
  {
    operation: 'createVideoStream',
    situation: 'with a parent',
    async prepare(context) {
      const { streamId } = await createStream(context);
      return {
        input: { title: 'An example', parentStreamId: streamId },
        select,
        events: ({ videoStream }) => [streamEvent('created', videoStream.streamId), streamEvent('updated', streamId)],
      };
    },
  },
  {
    operation: 'updateVideoStream',
    situation: 'its title',
    async prepare(context) {
      const { streamId } = await createStream(context);
      return { input: { streamId, title: 'New' }, events: [streamEvent('updated', streamId)] };
    },
  },
  {
    operation: 'updateVideoStream',
    situation: 'without a change',
    async prepare(context) {
      const { streamId } = await createStream(context);
      return { input: { streamId } };
    },
  },
  {
    operation: 'startVideoStream',
    situation: 'an idle stream',
    async prepare(context) {
      const { streamId } = await createStream(context);
      return { input: { streamId }, events: [streamEvent('didStart', streamId)] };
    },
  },
  {
    operation: 'startVideoStream',
    situation: 'a live stream: fails in the transaction',
    async prepare(context) {
      const { streamId } = await createLiveStream(context);
      return { input: { streamId }, code: 'CONFLICT' };
    },
  },
  {
    operation: 'stopVideoStream',
    situation: 'a live stream',
    async prepare(context) {
      const { streamId } = await createLiveStream(context);
      return { input: { streamId }, events: [streamEvent('didStop', streamId)] };
    },
  },
  {
    operation: 'provideVideoStream',
    situation: 'by the media service',
    async prepare(context) {
      const { streamId } = await createStream(context);
      return { as: 'admin', input: { streamId, ...addresses }, events: [streamEvent('updated', streamId)] };
    },
  },
  {
    operation: 'provideVideoStream',
    situation: 'by the streaming user',
    async prepare(context) {
      const { streamId } = await createStream(context);
      return { input: { streamId, ...addresses }, code: 'PERMISSION_DENIED' };
    },
  },
  {
    operation: 'recordVideoStream',
    situation: 'a stopped stream',
    async prepare(context) {
      const { streamId } = await createLiveStream(context);
      await context.mutate('alice', 'stopVideoStream', { streamId }, 'clientMutationId');
      return { as: 'admin', input: { streamId, recordings }, events: [streamEvent('didRecord', streamId)] };
    },
  },
  {
    operation: 'recordVideoStream',
    situation: 'a live stream: fails in the transaction',
    async prepare(context) {
      const { streamId } = await createLiveStream(context);
      return { as: 'admin', input: { streamId, recordings }, code: 'CONFLICT' };
    },
  },
  {
    operation: 'deleteVideoStream',
    situation: 'a stream with its chat',
    async prepare(context) {
      const { streamId, chat } = await createStream(context, { channelEnabled: true });
      return { input: { streamId }, events: [streamEvent('deleted', streamId), chatEvent('channel.deleted', chat)] };
    },
  },
  {
    operation: 'deleteVideoStream',
    situation: 'a stream whose chat is deleted already',
    async prepare(context) {
      const { streamId, chat } = await createStream(context, { channelEnabled: true });
      await context.mutate('alice', 'deleteChannel', { channelId: chat!.channelId }, 'clientMutationId');
      return { input: { streamId }, events: [streamEvent('deleted', streamId)] };
    },
  },
  {
    operation: 'deleteVideoStream',
    situation: 'a live stream: it is stopped first',
    async prepare(context) {
      const { streamId } = await createLiveStream(context);
      return { input: { streamId }, events: [streamEvent('didStop', streamId), streamEvent('deleted', streamId)] };
    },
  },
];
