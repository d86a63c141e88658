import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTracing, wantsTraces } from '../../src/observe/tracing/start-tracing.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { openWebhookFixtures, type WebhookFixtures } from '../webhooks/webhook-fixtures.ts';

/** A span in the JSON of OTLP, with the attributes that the tests read. */
interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Array<{ key: string; value: { stringValue?: string; intValue?: number } }>;
  status: { code?: number };
}

const SERVER = 2;
const CLIENT = 3;

const spans: ReceivedSpan[] = [];
const services: string[] = [];
let collector: Server;
let gateway: TestGateway;

beforeAll(async () => {
  collector = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      expect(request.url).toBe('/v1/traces');
      const { resourceSpans } = JSON.parse(String(Buffer.concat(chunks)));
      for (const { resource, scopeSpans } of resourceSpans) {
        const name = resource.attributes.find(({ key }: { key: string }) => key === 'service.name');
        services.push(name.value.stringValue);
        for (const scope of scopeSpans) spans.push(...scope.spans);
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((listening) => collector.listen(0, '127.0.0.1', listening));
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `http://127.0.0.1:${(collector.address() as AddressInfo).port}`);
  vi.stubEnv('OTEL_SERVICE_NAME', 'traced-gateway');
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '50');
  gateway = await startTestGateway();
});
afterAll(async () => {
  await gateway.close();
  vi.unstubAllEnvs();
  collector.close();
});

/** The spans of a trace, once those with these names have arrived. */
async function traceWith(traceId: string, ...names: string[]): Promise<ReceivedSpan[]> {
  const found = () => spans.filter((span) => span.traceId === traceId);
  await vi.waitUntil(() => names.every((name) => found().some((span) => span.name === name)), {
    timeout: 30_000,
    interval: 20,
  });
  return found();
}

const newTraceId = () => crypto.randomUUID().replaceAll('-', '');
const PARENT = '00f067aa0ba902b7';

test('a trace goes from the caller over request and operation to the commands of the database', async () => {
  const traceId = newTraceId();
  const token = await gateway.tokenOf('alice');
  const response = await fetch(`${gateway.url}/graphql?secret=1`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      traceparent: `00-${traceId}-${PARENT}-01`,
    },
    body: JSON.stringify({ query: 'query Mine { post(postId: "seedlings") { postId } }' }),
  });
  expect(response.status).toBe(200);
  await response.text();
  const trace = await traceWith(traceId, 'POST /graphql', 'query post', 'find posts');
  const named = (name: string) => trace.find((span) => span.name === name)!;
  const [request, operation, command] = [named('POST /graphql'), named('query post'), named('find posts')];
  expect(request).toMatchObject({ parentSpanId: PARENT, kind: SERVER });
  expect(operation.parentSpanId).toBe(request.spanId);
  expect(command).toMatchObject({ parentSpanId: operation.spanId, kind: CLIENT });
  expect(new Set(services)).toEqual(new Set(['traced-gateway']));
  const text = JSON.stringify(trace);
  expect(text).not.toContain('secret');
  expect(text).not.toContain(token);
});

test('REST requests are named by their route, and failures of the server are marked', async () => {
  const traceId = newTraceId();
  await gateway.rest('/api/v3/posts/seedlings', { headers: { traceparent: `00-${traceId}-${PARENT}-01` } });
  const trace = await traceWith(traceId, 'GET /api/v3/posts/:postId', 'query post');
  const request = trace.find(({ name }) => name === 'GET /api/v3/posts/:postId')!;
  expect(request.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 200 } });
  expect(request.status.code ?? 0).toBe(0);
});

test('a caller that does not sample its trace is not traced', async () => {
  const traceId = newTraceId();
  await gateway.rest('/api/v3/posts/seedlings', { headers: { traceparent: `00-${traceId}-${PARENT}-00` } });
  const later = newTraceId();
  await gateway.rest('/api/v3/posts/tomatoes', { headers: { traceparent: `00-${later}-${PARENT}-01` } });
  await traceWith(later, 'GET /api/v3/posts/:postId');
  expect(spans.filter((span) => span.traceId === traceId)).toEqual([]);
});

test('webhooks carry the trace of their delivery', async () => {
  const fixtures: WebhookFixtures = await openWebhookFixtures();
  await fixtures.createEndpoint();
  await fixtures.post('traced');
  await fixtures.arrived(1);
  const { traceparent } = fixtures.receiver.received[0]!.headers;
  const [, traceId, spanId] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/.exec(traceparent!)!;
  const trace = await traceWith(traceId!, 'POST webhook');
  expect(trace.find(({ name }) => name === 'POST webhook')).toMatchObject({ spanId, kind: CLIENT });
  await fixtures.gateway.close();
  await fixtures.receiver.close();
});

test.each([
  [{}, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, true],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces' }, true],
  [{ OTEL_TRACES_EXPORTER: 'console' }, true],
  [{ OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, false],
  [{ OTEL_SDK_DISABLED: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, false],
])('with %j, traces are on: %s', (env, isOn) => {
  expect(wantsTraces(env)).toBe(isOn);
});

test('rejects an exporter that is not supported', async () => {
  await expect(startTracing({ OTEL_TRACES_EXPORTER: 'zipkin' }, '1')).rejects.toThrow(/zipkin is not supported/);
});
