import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectConsistent } from '../support/consistency.ts';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';

let gateway: TestGateway;
let mutate: ReturnType<typeof mutations>;
beforeAll(async () => {
  gateway = await openTestNetwork();
  mutate = mutations(gateway);
});
afterEach(() => expectConsistent(gateway));
afterAll(() => gateway.close());

const url = 'rtmp://media.test/app/part/one?key=1';
const STREAM = `videoStream { streamId title description status isLive isDeleted startedAt endedAt channelId channelEnabled viewerCanEdit
  streamerUrl { url components { origin appName streamName query } } watcherUrl { hls { url } } recordings { mp4 { url duration } } metadata }`;
const ROOM = `room { roomId title status isDeleted deletedBy liveAt endedAt recordedAt durationSeconds liveChannelId livePlaybackUrl targetVisibility
  participants { userId type } recordedPlaybackInfos { url } moderation { flagLabels { category } terminateLabels { category threshold } } viewerCanEdit }`;

describe('a video stream', () => {
  const change = (as: string, verb: string, input: object) => mutate(as, `${verb}VideoStream`, input, STREAM);
  const file = { url, duration: 3, startTime: 1, stopTime: 4 };
  const recordings = [{ flv: file, mp4: file, m3u8: file }];

  test('ends without having started', async () => {
    const { videoStream } = await change('bob', 'create', { title: 'Never' });
    const { streamId } = videoStream;
    expect((await change('bob', 'stop', { streamId })).videoStream).toMatchObject({ status: 'ENDED', startedAt: null });
    expect(await change('bob', 'start', { streamId })).toMatchObject({ code: 'CONFLICT' });
  });

  test('changes from idle to live, ended and recorded only', async () => {
    const { videoStream } = await change('bob', 'create', { title: 'Pond', channelEnabled: true, metadata: { a: 1 } });
    expect(videoStream).toMatchObject({ status: 'IDLE', isLive: false, channelEnabled: true, startedAt: null });
    // Fields that a media service sets are empty until it reports them.
    expect(videoStream.streamerUrl.url).toBe('');
    const { streamId, channelId } = videoStream;
    expect((await change('bob', 'start', { streamId })).videoStream).toMatchObject({
      status: 'LIVE',
      isLive: true,
      startedAt: expect.any(String),
    });
    expect(await change('bob', 'start', { streamId })).toMatchObject({ code: 'CONFLICT' });
    const watcherUrl = { flv: url, hls: url, rtmp: url };
    expect(await change('bob', 'provide', { streamId, streamerUrl: url, watcherUrl })).toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    const provided = await change('admin', 'provide', { streamId, streamerUrl: url, watcherUrl });
    expect(provided.videoStream.streamerUrl).toEqual({
      url,
      components: { origin: 'rtmp://media.test', appName: 'app', streamName: 'one', query: 'key=1' },
    });
    expect(await change('admin', 'record', { streamId, recordings })).toMatchObject({ code: 'CONFLICT' });
    expect((await change('bob', 'stop', { streamId })).videoStream).toMatchObject({
      status: 'ENDED',
      isLive: false,
      endedAt: expect.any(String),
    });
    expect(await change('bob', 'stop', { streamId })).toMatchObject({ code: 'CONFLICT' });
    expect((await change('admin', 'record', { streamId, recordings })).videoStream).toMatchObject({
      status: 'RECORDED',
      recordings: [{ mp4: { url, duration: 3 } }],
    });
    expect((await change('bob', 'update', { streamId, title: 'Lake', metadata: null })).videoStream).toMatchObject({
      title: 'Lake',
      metadata: {},
    });
    expect(await change('carol', 'update', { streamId, title: 'Mine' })).toMatchObject({ code: 'NOT_FOUND' });
    expect((await change('bob', 'delete', { streamId })).videoStream).toMatchObject({
      isDeleted: true,
      viewerCanEdit: false,
    });
    expect(await change('bob', 'delete', { streamId })).toMatchObject({ code: 'NOT_FOUND' });
    const joined = await mutate('carol', 'joinChannel', { channelId }, 'clientMutationId');
    expect(joined).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('one of 20 concurrent starts succeeds', async () => {
    const { streamId } = (await change('bob', 'create', { title: 'Pond' })).videoStream;
    const started = await Promise.all(Array.from({ length: 20 }, () => change('bob', 'start', { streamId })));
    expect(started.filter(({ code }) => code === 'CONFLICT')).toHaveLength(19);
  });

  test.each([
    ['title', { title: '' }],
    ['title', { title: 'x'.repeat(151) }],
    ['description', { title: 'x', description: 'x'.repeat(1_001) }],
  ])('rejects a wrong %s', async (path, input) => {
    expect(await change('bob', 'create', input)).toMatchObject({ code: 'INVALID_PARAMETERS', path: [path] });
  });

  test('rejects invalid URLs', async () => {
    const { streamId } = (await change('bob', 'create', { title: 'Pond' })).videoStream;
    for (const bad of [
      'file:///etc/passwd',
      'javascript:alert(1)',
      'no address',
      'http://',
      `https://x/${'y'.repeat(2_000)}`,
    ]) {
      const watcherUrl = { flv: url, hls: bad, rtmp: url };
      expect(await change('admin', 'provide', { streamId, streamerUrl: url, watcherUrl })).toMatchObject({
        code: 'INVALID_PARAMETERS',
        path: ['watcherUrl', 'hls'],
      });
    }
  });
});

describe('a room', () => {
  const change = (as: string, verb: string, input: object, of = 'Room') => mutate(as, `${verb}${of}`, input, ROOM);
  const create = async (as: string, more: object = {}) =>
    change(as, 'create', { title: 'Shed', targetType: 'COMMUNITY', targetId: 'gardeners', type: 'CO_HOSTS', ...more });

  test('changes its status and records how long it was live', async () => {
    const { room } = await create('bob', { liveChatEnabled: true });
    expect(room).toMatchObject({
      status: 'IDLE',
      targetVisibility: 'PUBLIC',
      liveChannelId: expect.any(String),
      participants: [{ userId: 'bob', type: 'HOST' }],
    });
    const { roomId } = room;
    const playback = { recordedPlaybackInfos: [{ url, thumbnailUrl: url }] };
    expect(await change('bob', 'stop', { roomId })).toMatchObject({ code: 'CONFLICT' });
    expect((await change('bob', 'start', { roomId })).room).toMatchObject({
      status: 'LIVE',
      liveAt: expect.any(String),
    });
    expect(
      (await change('admin', 'report', { roomId, status: 'WAITING_RECONNECT', livePlaybackUrl: url })).room,
    ).toMatchObject({ status: 'WAITING_RECONNECT', livePlaybackUrl: url });
    expect((await change('admin', 'report', { roomId, status: 'LIVE' })).room).toMatchObject({
      status: 'LIVE',
      livePlaybackUrl: url,
    });
    expect(await change('admin', 'record', { roomId, ...playback })).toMatchObject({ code: 'CONFLICT' });
    const { rooms } = gateway.services.store.collections;
    await rooms.updateOne(
      { networkId: gateway.networkId, roomId },
      { $set: { liveAt: new Date(Date.now() - 61_000) } },
    );
    const { room: ended } = await change('bob', 'stop', { roomId });
    expect(ended.status).toBe('ENDED');
    expect(ended.durationSeconds).toBeGreaterThanOrEqual(61);
    expect(ended.durationSeconds).toBeLessThan(120);
    expect((await change('admin', 'record', { roomId, ...playback })).room).toMatchObject({
      status: 'RECORDED',
      recordedAt: expect.any(String),
      recordedPlaybackInfos: [{ url }],
    });
    expect((await change('bob', 'delete', { roomId })).room).toMatchObject({ isDeleted: true, deletedBy: 'bob' });
  });

  test('ends when it receives a terminating moderation label', async () => {
    const { roomId } = (await create('bob')).room;
    await change('bob', 'start', { roomId });
    const moderation = { flagLabels: [{ category: 'mess', threshold: 60 }], terminateLabels: [] as object[] };
    const moderate = (input: object, as = 'admin') => mutate(as, 'setRoomModeration', { roomId, ...input }, ROOM);
    expect((await moderate(moderation)).room).toMatchObject({
      status: 'LIVE',
      moderation: { flagLabels: [{ category: 'mess' }] },
    });
    const ended = await moderate({ ...moderation, terminateLabels: [{ category: 'violence', threshold: 90 }] });
    expect(ended.room).toMatchObject({
      status: 'TERMINATED',
      moderation: { terminateLabels: [{ category: 'violence', threshold: 90 }] },
    });
    expect(await change('bob', 'start', { roomId })).toMatchObject({ code: 'CONFLICT' });
    expect(await moderate(moderation, 'bob')).toMatchObject({ code: 'PERMISSION_DENIED' });
  });

  test('accepts the server key beside a token for the media service', async () => {
    const { roomId } = (await create('bob')).room;
    const call = async (key: string) => {
      const response = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${await gateway.tokenOf('carol')}`,
          'x-server-key': key,
        },
        body: JSON.stringify({
          query: `mutation { answer: reportRoom(input: { roomId: "${roomId}", livePlaybackUrl: "${url}" }) { __typename } }`,
        }),
      });
      return ((await response.json()) as { data: { answer: { __typename: string } } }).data.answer.__typename;
    };
    expect(await call(gateway.keys.SERVER_KEY)).toBe('ReportRoomPayload');
    expect(await call('another')).toBe('OperationError');
  });

  test('has at most 20 participants, also when they join concurrently, and keeps its host', async () => {
    const { roomId } = (await create('bob')).room;
    const changeParticipants = (verb: string, userIds: string[]) =>
      change('bob', verb, { roomId, userIds }, 'RoomParticipants');
    const names = Array.from({ length: 25 }, (_, index) => `guest-${index}`);
    await Promise.all(names.map((name) => gateway.tokenOf(name)));
    const added = await Promise.all(names.map((name) => changeParticipants('add', [name])));
    expect(added.filter(({ code }) => code === 'BAD_REQUEST')).toHaveLength(6);
    const room = await gateway.graphql<{ room: { participants: unknown[] } }>(
      `{ room(roomId: "${roomId}") { participants { userId } } }`,
      { as: 'bob' },
    );
    expect(room.data.room.participants).toHaveLength(20);
    expect(await changeParticipants('remove', ['bob'])).toMatchObject({ code: 'BAD_REQUEST', path: ['userIds'] });
    expect((await changeParticipants('remove', names.slice(0, 20))).room.participants.length).toBeLessThan(20);
    expect(await changeParticipants('add', ['nobody-at-all'])).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('requires the permission to post in its target', async () => {
    expect(await create('erin')).toMatchObject({ code: 'FORBIDDEN' });
    expect(await create('bob', { targetId: 'orchard-keepers' })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await create('bob', { targetType: 'USER', targetId: 'alice' })).toMatchObject({ code: 'NOT_FOUND' });
    expect((await create('erin', { targetType: 'USER', targetId: 'erin' })).room.status).toBe('IDLE');
  });
});
