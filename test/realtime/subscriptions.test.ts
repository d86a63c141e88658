import { afterAll, beforeAll, expect, test } from 'vitest';
import { asyncApiProblems } from '../support/asyncapi.ts';
import { backlog } from '../support/backlog.ts';
import { emit, postUpdated } from '../support/emit.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type LiveClient, liveClient, waitFor } from '../support/live.ts';
import { ask } from '../support/mutate.ts';
import { rawSocket } from '../support/raw-socket.ts';

let gateway: TestGateway;
let bob: LiveClient;
beforeAll(async () => {
  gateway = await startTestGateway();
  bob = await liveClient(gateway, 'bob');
});
afterAll(async () => {
  await bob.close();
  await gateway.close();
});

const CREATE = `mutation ($input: CreatePostInput!) { createPost(input: $input) { __typename ... on CreatePostPayload { post { postId } } } }`;
const post = async (text: string, as = 'alice') => {
  const variables = { input: { targetType: 'COMMUNITY', targetId: 'gardeners', data: { text } } };
  const answer = await gateway.graphql<{ createPost: { post: { postId: string } } }>(CREATE, { as, variables });
  expect(answer.errors).toBeUndefined();
  return answer.data.createPost.post.postId;
};

const POSTS = `subscription ($after: String) { postCreated(after: $after) { id type cursor path actorId post { postId data { text } author { displayName } } } }`;

test('delivers events in order with the selected fields', async () => {
  const { eventCursor } = await ask(gateway, '{ eventCursor }');
  const subscription = bob.listen(POSTS, { after: eventCursor });
  const first = await post('one');
  const second = await post('two');
  const events = await subscription.until(2);
  expect(events.map((event) => event.post.postId)).toEqual([first, second]);
  expect(events[0]).toMatchObject({ type: 'POST_CREATED', actorId: 'alice', post: { data: { text: 'one' } } });
  subscription.stop();

  const again = bob.listen(POSTS, { after: events[0].cursor });
  expect((await again.until(1))[0]).toEqual(events[1]);
  again.stop();
});

test('messages of a socket match the AsyncAPI document', async () => {
  const raw = await (await rawSocket(gateway.url)).init(await gateway.tokenOf('bob'));
  const subscribe = (id: string, query: string) => raw.send({ id, type: 'subscribe', payload: { query } });
  subscribe('answered', '{ eventCursor }');
  subscribe('rejected', 'subscription { nothing }');
  await raw.message(({ id, type }) => id === 'answered' && type === 'complete');
  await raw.message(({ id, type }) => id === 'rejected' && type === 'error');
  // The heartbeat may add pings at any time.
  const answers = raw.messages.map(({ type }) => type).filter((type) => type !== 'ping');
  expect(answers.sort()).toEqual(['complete', 'connection_ack', 'error', 'next']);
  const acknowledged = raw.messages.find(({ type }) => type === 'connection_ack');
  expect(acknowledged!.payload).toEqual({ cursor: expect.stringMatching(/^[0-9A-F]+$/i) });
  for (const message of raw.messages) expect(asyncApiProblems(`graphql.${message.type}`, message)).toEqual([]);
  raw.close();
});

test('an id that is reused while its messages wait has one subscription', async () => {
  const raw = await (await rawSocket(gateway.url)).init(await gateway.tokenOf('bob'));
  const paths = (of: string) =>
    raw.messages
      .filter(({ id, type }) => id === of && type === 'next')
      .map(({ payload }) => payload.data.postUpdated.path);
  const subscribe = (id: string, name: string) =>
    raw.send({ id, type: 'subscribe', payload: { query: `subscription ${name} { postUpdated { path cursor } }` } });
  const waiting = backlog(100);
  for (let time = 0; time < 10; time += 1) {
    subscribe('again', `Again${time}`);
    raw.send({ id: 'again', type: 'complete' });
  }
  subscribe('again', 'Last');
  subscribe('other', 'Other');
  await waiting;
  raw.send({ id: 'done', type: 'subscribe', payload: { query: '{ eventCursor }' } });
  await raw.message(({ id, type }) => id === 'done' && type === 'complete');
  await emit(gateway, [postUpdated('reused')]);
  await waitFor(() => paths('other').length === 1 && paths('again').length >= 1);
  raw.send({ id: 'again', type: 'complete' });
  raw.send({ id: 'done', type: 'subscribe', payload: { query: '{ viewer { userId } }' } });
  await raw.message(({ id, payload }) => id === 'done' && payload?.data?.viewer);
  await emit(gateway, [postUpdated('completed')]);
  await waitFor(() => paths('other').length === 2);
  expect(paths('again')).toEqual(['default/reused']);
  expect(raw.messages.filter(({ type }) => type === 'error')).toEqual([]);
  raw.close();
});

test('the result of a completed query is not sent for a later operation with its id', async () => {
  const raw = await (await rawSocket(gateway.url)).init(await gateway.tokenOf('bob'));
  const waiting = backlog(50);
  raw.send({ id: 'one', type: 'subscribe', payload: { query: 'query First { viewer { first: userId } }' } });
  raw.send({ id: 'one', type: 'complete' });
  raw.send({ id: 'one', type: 'subscribe', payload: { query: 'query Second { viewer { second: userId } }' } });
  await waiting;
  await raw.message(({ id, type }) => id === 'one' && type === 'complete');
  expect(raw.messages.filter(({ type }) => type === 'next').map(({ payload }) => payload)).toEqual([
    { data: { viewer: { second: 'bob' } } },
  ]);
  raw.close();
});
