import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { checkAnswer } from '../support/interface.ts';
import { POST_ARRAYS } from '../support/side-arrays.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestNetwork();
});
afterAll(() => gateway.close());

async function read(postId: string, as = 'carol') {
  const { status, body } = await gateway.rest(`/api/v3/posts/${postId}`, { as });
  expect(status).toBe(200);
  checkAnswer(body, { arrays: POST_ARRAYS });
  return body;
}

test('every sample post is complete for every user who sees it', async () => {
  const { posts } = gateway.services.store.collections;
  const all = await posts.find({ networkId: gateway.networkId, postId: { $gt: '' } }).toArray();
  for (const { postId } of all) {
    await read(postId, 'admin');
    for (const as of ['carol', 'erin']) {
      const { status, body } = await gateway.rest(`/api/v3/posts/${postId}`, { as });
      if (status === 200) checkAnswer(body, { arrays: POST_ARRAYS });
      else expect([status, body.code]).toEqual([404, 400400]);
    }
  }
});

test('returns a poll with the answers that the viewer chose, also of a child post', async () => {
  for (const postId of ['crop-poll', 'crop-poll-1']) {
    const { polls } = await read(postId);
    expect(polls).toMatchObject([{ pollId: 'shared-bed', isVoted: true, status: 'open', answerType: 'single' }]);
    const chosen = polls[0].answers.filter((answer: { isVotedByUser: boolean }) => answer.isVotedByUser);
    expect(chosen).toMatchObject([{ id: 'shared-bed-peas', voteCount: 2, dataType: 'text' }]);
    expect(Object.keys(polls[0].answers[0]).sort()).toEqual([
      'data',
      'dataType',
      'fileId',
      'id',
      'isVotedByUser',
      'voteCount',
    ]);
  }
  expect((await read('crop-poll', 'alice')).polls).toMatchObject([{ isVoted: false }]);
});

test('returns a stream with its children; only the streamer and network moderators see the streamer URL', async () => {
  const URL = {
    url: expect.any(String),
    components: {
      origin: expect.any(String),
      appName: expect.any(String),
      streamName: expect.any(String),
      query: expect.any(String),
    },
  };
  for (const [as, sees] of [
    ['carol', false],
    ['alice', true],
    ['admin', true],
  ] as const) {
    const { videoStreamings, videoStreamingChildren } = await read('greenhouse', as);
    expect(videoStreamings).toMatchObject([
      {
        streamId: 'greenhouse-tour',
        streamerUrl: URL,
        watcherUrl: { flv: URL, hls: URL, rtmp: URL },
        status: 'live',
        resolution: 'HD',
      },
    ]);
    expect(videoStreamingChildren).toMatchObject([{ streamId: 'greenhouse-tour-camera-2', streamerUrl: URL }]);
    for (const stream of [...videoStreamings, ...videoStreamingChildren])
      expect(stream.streamerUrl.url !== '').toBe(sees);
  }
  const { videoStreamings } = await read('spring-show', 'bob');
  const file = {
    url: expect.any(String),
    duration: expect.any(Number),
    startTime: expect.any(Number),
    stopTime: expect.any(Number),
  };
  expect(videoStreamings[0].recordings).toEqual([{ flv: file, mp4: file, m3u8: file }]);
});

test('returns a room with its children, participants and moderation', async () => {
  const { rooms, roomChildrens } = await read('potting');
  expect(rooms).toMatchObject([
    {
      roomId: 'potting-bench',
      type: 'coHosts',
      status: 'live',
      participants: [
        { userId: 'bob', type: 'host' },
        { userId: 'alice', type: 'coHost' },
      ],
      moderation: { flagLabels: [{ category: 'mess', threshold: 60 }], terminateLabels: [{ category: 'violence' }] },
    },
  ]);
  expect(roomChildrens).toMatchObject([{ roomId: 'potting-bench-backstage', parentRoomId: 'potting-bench' }]);
});

test('returns a deleted poll, stream or room without its content', async () => {
  const { polls, videoStreams, rooms } = gateway.services.store.collections;
  const deletion = { $set: { isDeleted: true } };
  await polls.updateOne({ networkId: gateway.networkId, pollId: 'shared-bed' }, deletion);
  await videoStreams.updateOne({ networkId: gateway.networkId, streamId: 'spring-show' }, deletion);
  await rooms.updateOne({ networkId: gateway.networkId, roomId: 'seed-swap' }, deletion);
  expect((await read('crop-poll', 'bob')).polls).toMatchObject([{ question: '', answers: [] }]);
  expect((await read('crop-poll', 'alice')).polls).toMatchObject([{ question: 'What shall we sow?' }]);
  expect((await read('spring-show', 'bob')).videoStreamings).toMatchObject([
    { title: '', recordings: [], watcherUrl: { hls: { url: '' } } },
  ]);
  expect((await read('seed-swap', 'bob')).rooms).toMatchObject([{ title: '', recordedPlaybackInfos: [] }]);
});

test('moderators read deleted posts; authors also read their posts in review', async () => {
  const status = async (postId: string, as: string) => (await gateway.rest(`/api/v3/posts/${postId}`, { as })).status;
  expect([await status('salt-on-slugs', 'alice'), await status('salt-on-slugs', 'leo')]).toEqual([200, 404]);
  expect([
    await status('which-rootstock', 'grace'),
    await status('which-rootstock', 'frank'),
    await status('which-rootstock', 'carol'),
  ]).toEqual([200, 200, 404]);
  expect([await status('seedlings', 'erin'), await status('seedlings', 'dave')]).toEqual([200, 404]);
});

test('enforces the bounds of the id and treats it as plain text', async () => {
  for (const postId of ['x'.repeat(900), '%7B%22%24ne%22%3Anull%7D', '__proto__', '..%2F..%2Fusers']) {
    expect(await gateway.rest(`/api/v3/posts/${postId}`), postId).toMatchObject({
      status: 404,
      body: { code: 400400 },
    });
  }
  expect(await gateway.rest(`/api/v3/posts/${'x'.repeat(901)}`)).toMatchObject({ status: 422, body: { code: 500000 } });
  expect(await gateway.rest('/api/v3/posts/seedlings?postId[$ne]=x')).toMatchObject({ status: 422 });
  expect((await gateway.rest('/api/v3/posts/seedlings?postId=seedlings')).status).toBe(200);
});
