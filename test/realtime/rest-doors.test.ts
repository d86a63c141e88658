import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const CREATE = `mutation ($input: CreatePostInput!) { createPost(input: $input) { __typename ... on CreatePostPayload { post { postId } } } }`;
const post = async (text: string, as = 'alice') => {
  const variables = { input: { targetType: 'COMMUNITY', targetId: 'gardeners', data: { text } } };
  const answer = await gateway.graphql<{ createPost: { post: { postId: string } } }>(CREATE, { as, variables });
  expect(answer.errors).toBeUndefined();
  return answer.data.createPost.post.postId;
};

test('a long poll answers with the newest event, then with each next one', async () => {
  const nothing = await gateway.rest('/realtime/post.created');
  expect(nothing.status).toBe(204);
  const first = await post('one');
  const newest = await gateway.rest('/realtime/post.created');
  expect(newest.body).toMatchObject({ eventType: 'post.created', networkId: 'default', version: '1' });
  expect(newest.body.data.posts[0]).toMatchObject({ postId: first });
  const waiting = gateway.rest(`/realtime/post.created?wait=10&after=${newest.headers.get('event-cursor')}`);
  const second = await post('two');
  const next = await waiting;
  expect(next.body.data.posts[0]).toMatchObject({ postId: second });
  const none = await gateway.rest(`/realtime/post.created?wait=0&after=${next.headers.get('event-cursor')}`);
  expect(none.status).toBe(204);
  const again = await gateway.rest(`/realtime/post.created?after=${nothing.headers.get('event-cursor')}`);
  expect(again.body.data.posts[0]).toMatchObject({ postId: first });
});

test('events are streamed, each with its cursor as its id', async () => {
  const response = await fetch(`${gateway.url}/realtime/post.created`, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${await gateway.tokenOf('bob')}` },
  });
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader.read()).value!;
  expect(text).toMatch(/^id: 82[0-9A-F]+\n\n$/);
  const postId = await post('streamed');
  while (!text.includes('data:')) text += (await reader.read()).value!;
  const envelope = JSON.parse(/data: (.*)\n/.exec(text)![1]!);
  expect(envelope.data.posts[0].postId).toBe(postId);
  await reader.cancel();
});
