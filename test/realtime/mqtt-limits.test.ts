import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { LIVE_LIMITS } from '../../src/limits/limits.ts';
import { emit } from '../support/emit.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { waitFor } from '../support/live.ts';
import { limitLive } from '../support/live-limits.ts';
import { mqttClient, useMqttClients } from '../support/mqtt-client.ts';
import { mutations } from '../support/mutate.ts';

limitLive({ perUser: 3 });

const connect = useMqttClients();

async function startGateway(env: Record<string, string> = {}): Promise<TestGateway> {
  const gateway = await startTestGateway(env);
  onTestFinished(() => gateway.close());
  return gateway;
}

const countSockets = ({ server }: TestGateway) => server.websocketServer.clients.size;

test('disconnects a client that reads nothing, and delivers to others in time', async () => {
  const gateway = await startGateway();
  const mutate = mutations(gateway);
  const metadata = { pad: 'x'.repeat(50_000) };
  const target = { targetType: 'COMMUNITY', targetId: 'gardeners' };
  const { post } = await mutate('alice', 'createPost', { ...target, data: { text: 'x' }, metadata }, 'post { postId }');
  const { communities } = gateway.services.store.collections;
  const community = await communities.findOne({ networkId: 'default', communityId: 'gardeners' });
  const topic = `${community!.path.replace('default/', '')}/post/#`;
  const [slow, other] = [await connect(gateway, 'bob'), await connect(gateway, 'carol')];
  for (const client of [slow, other]) expect(await client.subscribe(topic)).toEqual([0]);
  slow.socket.pause();
  const path = `${community!.path}/post/${post.postId}`;
  const event = { type: 'post.updated', path, data: { postId: post.postId } } as const;
  let count = 0;
  while (countSockets(gateway) === 2) {
    await emit(gateway, [event]);
    count += 1;
    await other.until(count);
    expect(count).toBeLessThan(1_000);
  }
  expect(other.events).toHaveLength(count);
  slow.socket.resume();
  await slow.closed;
  // What was buffered for it is bounded.
  expect(slow.events.length * 50_000).toBeLessThan(LIVE_LIMITS.buffered + 16 * 1_048_576);
});

test('limits the connections of a user, and accepts another after one is closed', async () => {
  const gateway = await startGateway();
  const first = await connect(gateway, 'bob');
  for (let n = 1; n < 3; n += 1) await connect(gateway, 'bob');
  await expect(connect(gateway, 'bob')).rejects.toMatchObject({ code: 3 });
  await connect(gateway, 'carol');
  await first.close();
  await waitFor(() => countSockets(gateway) === 3);
  await connect(gateway, 'bob');
});

test('limits the sockets of the process together with those of GraphQL', async () => {
  const gateway = await startGateway({ SOCKET_LIMIT: '1' });
  const graphql = new WebSocket(`${gateway.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  await new Promise((resolve) => graphql.once('open', resolve));
  await expect(connect(gateway, 'bob')).rejects.toThrow();
  graphql.close();
  await waitFor(() => countSockets(gateway) === 0);
  await connect(gateway, 'bob');
});

test('counts SUBSCRIBE towards the request limit of the address', async () => {
  const gateway = await startGateway({ RATE_LIMIT: '20' });
  const bob = await connect(gateway, 'bob');
  const codes: number[] = [];
  for (let n = 0; n < 25; n += 1) codes.push(...(await bob.subscribe('videostreaming')));
  expect([codes[0], codes.at(-1)]).toEqual([0, 128]);
});

test('closes connections with 1001 when the server shuts down', async () => {
  const gateway = await startTestGateway();
  const bob = await mqttClient(gateway, 'bob');
  const code = new Promise((resolve) => bob.socket.once('close', resolve));
  await gateway.close();
  expect(await code).toBe(1001);
  await bob.close();
});
