import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createStreamClient, isCursorExpired, resumable, type Sink } from '../../client/src/index.ts';
import { type CutProxy, startCutProxy } from '../support/cut-proxy.ts';
import { emit, postUpdated } from '../support/emit.ts';
import { signIn, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { ask } from '../support/mutate.ts';

let gateway: TestGateway;
let proxy: CutProxy;
let token: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  proxy = await startCutProxy(gateway.url);
  token = await signIn(gateway, 'alice');
});
afterAll(async () => {
  await proxy.cut();
  await gateway.close();
});

const QUERY =
  'subscription ($topic: String, $after: String) { postUpdated(topic: $topic, after: $after) { path cursor } }';

type Subscribe = (payload: { query: string; variables?: Record<string, unknown> }, sink: Sink) => () => void;

/** A client of each transport, through the proxy, and what `serverStatus` calls its subscriptions. */
function clients(): Array<[name: string, subscribe: Subscribe, counter: 'subscriptions' | 'liveConnections']> {
  const options = { url: `${proxy.url.replace('http', 'ws')}/graphql`, webSocketImpl: WebSocket };
  const connectionParams = () => ({ Authorization: `Bearer ${token}` });
  const socket = createClient(resumable({ ...options, connectionParams }));
  const streams = createStreamClient({
    url: `${proxy.url}/graphql`,
    headers: () => ({ authorization: `Bearer ${token}` }),
  });
  return [
    ['WebSocket', socket.subscribe as Subscribe, 'subscriptions'],
    ['server-sent events', streams.subscribe, 'liveConnections'],
  ];
}

async function untilCounted(counter: string, count: number): Promise<void> {
  const read = () => ask(gateway, `{ serverStatus { ${counter} } }`, { as: 'admin' });
  await vi.waitUntil(async () => (await read()).serverStatus[counter] === count, { timeout: 30_000 });
}

test('a subscription that breaks before its first event misses none, and repeats none later', async () => {
  for (const [name, subscribe, counter] of clients()) {
    const paths: string[] = [];
    const errors: unknown[] = [];
    const topic = `default/${name.replaceAll(/\W/g, '')}/#`;
    const numbered = (number: number) => postUpdated(`${topic.slice('default/'.length, -2)}/${number}`);
    const stop = subscribe(
      { query: QUERY, variables: { topic } },
      {
        next: ({ data }) => paths.push((data!.postUpdated as { path: string }).path.split('/').at(-1)!),
        error: (error) => errors.push(error),
        complete: () => errors.push('complete'),
      },
    );
    await untilCounted(counter, 1);
    await proxy.cut();
    await emit(gateway, [numbered(0), numbered(1)]);
    await proxy.restore();
    await vi.waitUntil(() => paths.length === 2, { timeout: 30_000 });
    await emit(gateway, [numbered(2)]);
    await vi.waitUntil(() => paths.length === 3, { timeout: 30_000 });
    await proxy.cut();
    await emit(gateway, [numbered(3)]);
    await proxy.restore();
    await vi.waitUntil(() => paths.length === 4, { timeout: 30_000 });
    expect([name, paths, errors]).toEqual([name, ['0', '1', '2', '3'], []]);
    stop();
    await untilCounted('liveConnections', 0);
  }
});

test('a subscription that cannot resume is refused before it is sent', () => {
  const sink: Sink = { next: () => undefined, error: () => undefined, complete: () => undefined };
  for (const [, subscribe] of clients()) {
    for (const query of [
      'subscription { postUpdated { path cursor } }',
      'fragment F on PostEvent { path } subscription ($after: String) { postUpdated(after: $after) { ...F } }',
    ])
      expect(() => subscribe({ query }, sink)).toThrow('`after: $after`');
  }
});

// The log of a new MongoDB server reaches back to any time.
test.skipIf(process.env.MONGODB_URI)('an expired cursor is reported to the application as such', async () => {
  const reasons: unknown[] = [];
  const expired = `82${'0'.repeat(7)}1${'0'.repeat(8)}`;
  for (const [, subscribe] of clients()) {
    const after = `${(await ask(gateway, '{ eventCursor }')).eventCursor}`.replace(
      /^82[0-9A-F]{8}/i,
      expired.slice(0, 10),
    );
    await new Promise<void>((ended) => {
      subscribe(
        { query: QUERY, variables: { after } },
        {
          next: () => undefined,
          error: (reason) => {
            reasons.push(reason);
            ended();
          },
          complete: ended,
        },
      );
    });
  }
  expect(reasons.map(isCursorExpired)).toEqual([true, true]);
});

test('queries and mutations pass unchanged', async () => {
  const client = createClient(
    resumable({
      url: `${gateway.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { Authorization: `Bearer ${token}` },
    }),
  );
  const results: unknown[] = [];
  for await (const { data } of client.iterate({ query: '{ viewer { userId } }' })) results.push(data);
  expect(results).toEqual([{ viewer: { userId: 'alice' } }]);
  await client.dispose();
});

test('the module has at most 3 kB, compressed', async () => {
  const { outputFiles } = await build({
    entryPoints: ['client/src/index.ts'],
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  });
  const size = gzipSync(outputFiles[0]!.contents).length;
  expect(size).toBeGreaterThan(500);
  expect(size).toBeLessThanOrEqual(3_000);
});
