import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emit, postUpdated } from '../support/emit.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { waitFor } from '../support/live.ts';
import { ask } from '../support/mutate.ts';
import { rawClient, requestText } from '../support/raw-client.ts';
import { type RawSocket, rawSocket } from '../support/raw-socket.ts';

const COUNT = 50;
const LENGTH = 200_000;
/** A fraction of what the test sends, and several times what it retains. */
const MAX_MB = (COUNT * LENGTH) / 1_048_576 / 3;

const query = 'subscription ($after: String) { postUpdated(after: $after) { path } }';
let gateway: TestGateway;
let token: string;
let after: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  token = await gateway.tokenOf('bob');
  ({ eventCursor: after } = await ask(gateway, '{ eventCursor }'));
  await emit(gateway, [postUpdated('to-all')]);
  // Warm up the caches.
  await hold(async (n) => subscribe(await socket(), { id: `${n}` }));
});
afterAll(() => gateway.close());

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const heapMb = () => {
  collect();
  return process.memoryUsage().heapUsed / 1_048_576;
};

/** Opens subscriptions, each with a long text of its own. @returns the MiB that the heap grew */
async function hold(open: (n: number, text: string) => Promise<{ stop(): void }>): Promise<number> {
  const opened: Array<{ stop(): void }> = [];
  const before = heapMb();
  for (let n = 0; n < COUNT; n += 1) opened.push(await open(n, `${n}`.padEnd(LENGTH, 'x')));
  const grown = heapMb() - before;
  for (const { stop } of opened) stop();
  await waitFor(() => gateway.server.websocketServer.clients.size === 0);
  return grown;
}

async function socket(init: object = {}): Promise<RawSocket> {
  const raw = await rawSocket(gateway.url);
  raw.send({ type: 'connection_init', payload: { Authorization: `Bearer ${token}`, ...init } });
  await raw.message(({ type }) => type === 'connection_ack');
  return raw;
}

async function subscribe(raw: RawSocket, { id, payload, ...message }: { id: string; payload?: object }) {
  raw.send({ ...message, id, type: 'subscribe', payload: { query, variables: { after }, ...payload } });
  await raw.message((received) => received.id === id && received.type === 'next');
  return { stop: raw.close };
}

test.each([
  ['its unused variables', (text: string) => ({ payload: { variables: { after, text } } })],
  ['its extensions', (text: string) => ({ payload: { extensions: { text } } })],
  ['other members of its payload', (text: string) => ({ payload: { text } })],
  ['other members of its message', (text: string) => ({ text })],
])('a subscription does not retain %s', async (_, messageOf) => {
  const raw = await socket();
  expect(await hold((n, text) => subscribe(raw, { id: `${n}`, ...messageOf(text) }))).toBeLessThan(MAX_MB);
});

test('a socket does not retain the payload of connection_init', async () => {
  const grown = await hold(async (_, text) => ({ stop: (await socket({ text })).close }));
  expect(grown).toBeLessThan(MAX_MB);
});

test('an event stream does not retain unused variables of its request', async () => {
  const headers = {
    Authorization: `Bearer ${token}`,
    Accept: 'text/event-stream',
    'Content-Type': 'application/json',
  };
  const grown = await hold(async (_, text) => {
    const client = await rawClient(gateway);
    const body = JSON.stringify({ query, variables: { after, text } });
    const received = client.read();
    client.write(requestText('/graphql', { method: 'POST', headers, body }));
    await waitFor(() => received.text.includes('event: next'));
    return { stop: () => void client.socket.destroy() };
  });
  expect(grown).toBeLessThan(MAX_MB);
});
