import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openMetrics } from '../../src/observe/serve-metrics.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { liveClient } from '../support/live.ts';
import { parseMetrics, type Scraped } from './parse-metrics.ts';

const TOKEN = 'metrics-token-of-this-test';
const AUTHORIZED = { authorization: `Bearer ${TOKEN}` };

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ METRICS_TOKEN: TOKEN });
});
afterAll(() => gateway.close());

async function scrape(): Promise<Scraped> {
  const response = await fetch(`${gateway.url}/metrics`, { headers: AUTHORIZED });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  return parseMetrics(await response.text());
}

/** By how much the sum of the series increases during the work. */
async function increase(
  name: string,
  labels: { readonly [name: string]: string },
  work: () => Promise<unknown>,
): Promise<number> {
  const sum = async () => (await scrape()).series(name, labels).reduce((total, { value }) => total + value, 0);
  const before = await sum();
  await work();
  return (await sum()) - before;
}

const SECONDS = 'colloquy_request_duration_seconds';
const ERRORS = 'colloquy_request_errors_total';

test('counts requests of REST by route', async () => {
  const labels = { transport: 'rest', operation: 'GET /api/v3/posts/:postId' };
  const read = () => gateway.rest('/api/v3/posts/seedlings');
  expect(await increase(SECONDS, labels, () => Promise.all([read(), read()]))).toBe(2);
});

test('counts operations of GraphQL by root field, and by the transport', async () => {
  const query = '{ post(postId: "seedlings") { postId } }';
  expect(await increase(SECONDS, { transport: 'graphql', operation: 'post' }, () => gateway.graphql(query))).toBe(1);
  const several = '{ post(postId: "seedlings") { postId } viewer { userId } }';
  expect(await increase(SECONDS, { transport: 'graphql', operation: 'several' }, () => gateway.graphql(several))).toBe(
    1,
  );
  const live = await liveClient(gateway, 'alice');
  const overSocket = () =>
    new Promise<void>((done, failed) => {
      live.client.subscribe({ query }, { next: () => undefined, error: failed, complete: done });
    });
  expect(await increase(SECONDS, { transport: 'graphql-ws', operation: 'post' }, overSocket)).toBe(1);
  expect((await scrape()).series('colloquy_sockets', { protocol: 'graphql-transport-ws' })).toMatchObject([
    { value: 1 },
  ]);
  await live.close();
});

test('counts errors by code: of answers, of results, and of mutations that return them as data', async () => {
  const absent = () => gateway.rest('/api/v3/posts/no-such-post');
  expect(await increase(ERRORS, { transport: 'rest', code: 'NOT_FOUND' }, absent)).toBe(1);
  const anonymous = () => gateway.graphql('{ viewer { userId } }', { as: null });
  expect(await increase(ERRORS, { transport: 'graphql', code: 'UNAUTHORIZED' }, anonymous)).toBe(1);
  const invalid = () => gateway.graphql('{ nothing }');
  expect(await increase(ERRORS, { operation: 'other', code: 'BAD_REQUEST' }, invalid)).toBe(1);
  const refused = () => gateway.graphql('mutation { deletePost(input: { postId: "no-such-post" }) { __typename } }');
  expect(await increase(ERRORS, { operation: 'deletePost', code: 'NOT_FOUND' }, refused)).toBe(1);
});

test('names operations by what the server knows, however clients name them', async () => {
  await fetch(`${gateway.url}/no/such/path/${'x'.repeat(50)}`);
  await gateway.graphql('query SecretName { alias: viewer { userId } }');
  const { names, series } = await scrape();
  const operations = series(SECONDS).map(({ labels }) => labels.operation);
  expect(operations).toContain('other');
  expect(operations.filter((name) => /SecretName|alias|no\/such/.test(name!))).toEqual([]);
  expect(names.size).toBeGreaterThan(15);
});

test('measures commands of the database and batches of loaders', async () => {
  const read = () => gateway.rest('/api/v3/posts/seedlings');
  expect(
    await increase('colloquy_database_command_duration_seconds', { command: 'find' }, read),
  ).toBeGreaterThanOrEqual(1);
  expect(await increase('colloquy_loader_batch_keys', { collection: 'sessions' }, read)).toBeGreaterThanOrEqual(1);
});

test('counts deliveries of events and open subscriptions', async () => {
  const live = await liveClient(gateway, 'alice');
  const { until } = live.listen('subscription { postUpdated { post { postId } } }');
  const open = async () => (await scrape()).series('colloquy_subscriptions', { transport: 'graphql-ws' })[0]?.value;
  await expect.poll(open).toBe(1);
  const update = async () => {
    await gateway.graphql(
      'mutation { updatePost(input: { postId: "seedlings", data: { text: "measured" } }) { __typename } }',
    );
    await until(1);
  };
  expect(await increase('colloquy_events_delivered_total', {}, update)).toBe(1);
  await live.close();
});

test('reports the process: memory, processor time, event loop, version', async () => {
  const { series } = await scrape();
  const [memory] = series('process_resident_memory_bytes');
  expect(memory!.value).toBeGreaterThan(10_000_000);
  expect(series('process_cpu_seconds_total')[0]!.value).toBeGreaterThan(0);
  expect(series('colloquy_event_loop_delay_seconds').map(({ labels }) => labels.quantile)).toEqual([
    '0.5',
    '0.99',
    '1',
  ]);
  expect(series('colloquy_build_info')[0]!.labels).toMatchObject({ node_version: process.version });
  // The sum over the gateways of this process, which other test files may have started.
  const [database] = series('colloquy_database_up');
  expect(database!.value).toBeGreaterThanOrEqual(1);
});

test('requires METRICS_TOKEN on the port of the gateway, and without one does not exist', async () => {
  const status = async (url: string, headers: Record<string, string> = {}) =>
    (await fetch(`${url}/metrics`, { headers })).status;
  expect(await status(gateway.url)).toBe(401);
  expect(await status(gateway.url, { authorization: `Bearer ${TOKEN}x` })).toBe(401);
  expect(await status(gateway.url, { authorization: `Bearer ${await gateway.tokenOf('admin')}` })).toBe(401);
  const without = await startTestGateway();
  expect(await status(without.url, AUTHORIZED)).toBe(404);
  expect(without.metricsPort).toBeNull();
  await without.close();
});

test('serves METRICS_PORT only there, and requires a METRICS_TOKEN', async () => {
  const own = await startTestGateway({ METRICS_PORT: '0', METRICS_TOKEN: TOKEN });
  const url = `http://127.0.0.1:${own.metricsPort}`;
  expect((await fetch(`${own.url}/metrics`, { headers: AUTHORIZED })).status).toBe(404);
  expect((await fetch(`${url}/metrics`)).status).toBe(401);
  expect((await fetch(`${url}/graphql`, { headers: AUTHORIZED })).status).toBe(404);
  const scraped = await fetch(`${url}/metrics`, { headers: AUTHORIZED });
  expect(parseMetrics(await scraped.text()).names.has('colloquy_build_info')).toBe(true);
  await own.close();
  await expect(fetch(`${url}/metrics`)).rejects.toThrow();
});

test.each([
  [{}, false],
  [{ METRICS_HOST: '0.0.0.0' }, false],
  [{ METRICS_PORT: '9464' }, false],
  [{ METRICS_PORT: '9464', METRICS_HOST: '127.0.0.2' }, false],
  [{ METRICS_PORT: '9464', METRICS_HOST: '::1' }, false],
  [{ METRICS_PORT: '9464', METRICS_HOST: 'localhost' }, false],
  [{ METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0', METRICS_TOKEN: TOKEN }, false],
  [{ METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0' }, true],
  [{ METRICS_PORT: '9464', METRICS_HOST: '::' }, true],
  [{ METRICS_PORT: '9464', METRICS_HOST: 'gateway.internal' }, true],
])('with %o, warns of metrics that other machines read without a token: %s', (env, isWarned) => {
  expect(openMetrics(readConfig(env)).length).toBe(isWarned ? 1 : 0);
});
