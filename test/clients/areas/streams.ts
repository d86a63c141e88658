import assert from 'node:assert/strict';
import type { Area } from '../application.ts';
import type { Json } from '../rest-user.ts';

export const streams: Area = {
  name: 'streams',
  needs: 'StreamRepository',
  async run({ sdk, step, display, userId }) {
    const { StreamRepository } = sdk;
    let stream: Json;
    await step('creates a video stream', async () => {
      ({ data: stream } = await StreamRepository.createStream({ title: 'Sea view', description: 'All day' }));
      assert.equal(stream.title, 'Sea view');
    });
    await step('displays a video stream', async () => {
      const live = display((callback) => StreamRepository.getStreamById(stream.streamId, callback));
      assert.equal((await live.loaded()).streamId, stream.streamId);
    });
    await step('displays video streams', async () => {
      const live = display((callback) => StreamRepository.getStreams({ limit: 5, userPublicIds: [userId] }, callback));
      await live.until('the stream was expected', (data) => data.some((one: Json) => one.streamId === stream.streamId));
    });
    await step('changes a video stream', async () => {
      const { data } = await StreamRepository.updateStream(stream.streamId, { title: 'Harbour view' });
      assert.equal(data.title, 'Harbour view');
    });
    await step('creates a post with a video stream', async () => {
      const target = { targetType: 'user', targetId: userId };
      const data = { streamId: stream.streamId, text: 'Live' };
      const post = await sdk.PostRepository.createPost({ ...target, dataType: 'liveStream', data });
      assert.ok(post.data.postId);
    });
    await step('ends a video stream', async () => {
      const { data } = await StreamRepository.disposeStream(stream.streamId);
      assert.equal(data.streamId, stream.streamId);
    });
    await step('deletes a video stream', async () => {
      assert.equal(await StreamRepository.deleteStream(stream.streamId), true);
    });
  },
};
