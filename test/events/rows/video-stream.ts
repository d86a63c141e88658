import { chatOf, newStream, ofChat } from './made.ts';
import type { EventRow, Expected, World } from './row.ts';

const of = (what: string, streamId: string) =>
  [`video-streaming.${what}`, `default/videostreaming/${streamId}`, { streamId }] as unknown as Expected;
const select = 'videoStream { streamId }';

const url = 'https://media.test/live/a';
const file = { url, duration: 1, startTime: 1, stopTime: 2 };
const recordings = [{ flv: file, mp4: file, m3u8: file }];
const addresses = { streamerUrl: url, watcherUrl: { flv: url, hls: url, rtmp: url } };

async function newLiveStream(world: World, fields: object = {}) {
  const made = await newStream(world, fields);
  await world.make('alice', 'startVideoStream', { streamId: made.streamId }, 'clientMutationId');
  return made;
}

export const VIDEO_STREAM_ROWS: EventRow[] = [
  {
    operation: 'createVideoStream',
    situation: 'without a chat',
    prepare: () => ({
      input: { title: 'A row' },
      select,
      events: ({ videoStream }) => [of('created', videoStream.streamId)],
    }),
  },
  {
    operation: 'createVideoStream',
    situation: 'with a chat',
    prepare: () => ({
      input: { title: 'A row', channelEnabled: true },
      select,
      events: async ({ videoStream }, world) => [
        of('created', videoStream.streamId),
        ofChat('channel.created', await chatOf(world, videoStream)),
      ],
    }),
  },
  {
    operation: 'updateVideoStream',
    situation: 'another title',
    async prepare(world) {
      const { streamId } = await newStream(world);
      return { input: { streamId, title: 'New' }, events: [of('updated', streamId)] };
    },
  },
  {
    operation: 'updateVideoStream',
    situation: 'nothing is named',
    async prepare(world) {
      const { streamId } = await newStream(world);
      return { input: { streamId, title: null } };
    },
  },
  {
    operation: 'startVideoStream',
    situation: 'one that is idle',
    async prepare(world) {
      const { streamId } = await newStream(world);
      return { input: { streamId }, events: [of('didStart', streamId)] };
    },
  },
  {
    operation: 'startVideoStream',
    situation: 'one that is live: fails in the transaction',
    async prepare(world) {
      const { streamId } = await newLiveStream(world);
      return { input: { streamId }, code: 'CONFLICT' };
    },
  },
  {
    operation: 'stopVideoStream',
    situation: 'one that is live',
    async prepare(world) {
      const { streamId } = await newLiveStream(world);
      return { input: { streamId }, events: [of('didStop', streamId)] };
    },
  },
  {
    operation: 'provideVideoStream',
    situation: 'by the media service',
    async prepare(world) {
      const { streamId } = await newStream(world);
      return { as: 'admin', input: { streamId, ...addresses }, events: [of('updated', streamId)] };
    },
  },
  {
    operation: 'provideVideoStream',
    situation: 'by its sender',
    async prepare(world) {
      const { streamId } = await newStream(world);
      return { input: { streamId, ...addresses }, code: 'PERMISSION_DENIED' };
    },
  },
  {
    operation: 'recordVideoStream',
    situation: 'one that is over',
    async prepare(world) {
      const { streamId } = await newLiveStream(world);
      await world.make('alice', 'stopVideoStream', { streamId }, 'clientMutationId');
      return { as: 'admin', input: { streamId, recordings }, events: [of('didRecord', streamId)] };
    },
  },
  {
    operation: 'recordVideoStream',
    situation: 'one that is live: fails in the transaction',
    async prepare(world) {
      const { streamId } = await newLiveStream(world);
      return { as: 'admin', input: { streamId, recordings }, code: 'CONFLICT' };
    },
  },
  {
    operation: 'deleteVideoStream',
    situation: 'one with a chat, which goes with it',
    async prepare(world) {
      const { streamId, chat } = await newStream(world, { channelEnabled: true });
      return { input: { streamId }, events: [of('deleted', streamId), ofChat('channel.deleted', chat)] };
    },
  },
  {
    operation: 'deleteVideoStream',
    situation: 'one whose chat is deleted already',
    async prepare(world) {
      const { streamId, chat } = await newStream(world, { channelEnabled: true });
      await world.make('alice', 'deleteChannel', { channelId: chat!.channelId }, 'clientMutationId');
      return { input: { streamId }, events: [of('deleted', streamId)] };
    },
  },
  {
    operation: 'deleteVideoStream',
    situation: 'one that is live: it ends first',
    async prepare(world) {
      const { streamId } = await newLiveStream(world);
      return { input: { streamId }, events: [of('didStop', streamId), of('deleted', streamId)] };
    },
  },
];
