import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { trafficOf } from '../../src/observe/server-status.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { liveClient } from '../support/live.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

interface Status {
  version: string;
  startedAt: string;
  processes: number;
  sockets: number;
  liveConnections: number;
  subscriptions: number;
  webhookBacklog: number;
  residentMemoryBytes: number;
  database: { kind: string; isReady: boolean; isReadOnly: boolean; problem: string | null };
  eventLoop: { medianMs: number; p99Ms: number; maxMs: number; utilization: number };
  traffic: { from: string; periodSeconds: number; requests: number[]; errors: number[] };
}

const STATUS = `{ serverStatus {
  version startedAt processes sockets liveConnections subscriptions webhookBacklog residentMemoryBytes
  database { kind isReady isReadOnly problem }
  eventLoop { medianMs p99Ms maxMs utilization }
  traffic { from periodSeconds requests errors serverErrors events }
} }`;

test('serverStatus reports the process to administrators', async () => {
  const live = await liveClient(gateway, 'alice');
  const { data, errors } = await gateway.graphql<{ serverStatus: Status }>(STATUS, { as: 'admin' });
  expect(errors).toBeUndefined();
  const { startedAt, residentMemoryBytes, eventLoop, traffic, ...status } = data.serverStatus;
  expect(status).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    processes: 1,
    sockets: 1,
    webhookBacklog: 0,
    database: { isReady: true, isReadOnly: false, problem: null },
  });
  expect(new Date(startedAt).getTime()).toBeLessThan(Date.now());
  expect(residentMemoryBytes).toBeGreaterThan(10_000_000);
  expect(eventLoop.maxMs).toBeGreaterThanOrEqual(eventLoop.p99Ms);
  expect(traffic.requests.length).toBe(traffic.errors.length);
  await live.close();
});

test('serverStatus reports until when other token secrets are accepted, and not the secrets', async () => {
  const [ended, ending, endless] = ['ended', 'ending', 'endless'].map((name) => name.padEnd(40, '-'));
  const rotating = await startTestGateway({
    TOKEN_SECRET_ACCEPTED: `${ended}@2020-01-31,${ending}@2999-12-31,${endless}`,
  });
  onTestFinished(() => rotating.close());
  const query = '{ serverStatus { acceptedTokenSecrets { until hasEnded } } }';
  const { data } = await rotating.graphql(query, { as: 'admin' });
  expect(data.serverStatus).toEqual({
    acceptedTokenSecrets: [
      { until: '2020-02-01T00:00:00.000Z', hasEnded: true },
      { until: '3000-01-01T00:00:00.000Z', hasEnded: false },
      { until: null, hasEnded: false },
    ],
  });
  expect((await gateway.graphql(query, { as: 'admin' })).data.serverStatus).toEqual({ acceptedTokenSecrets: [] });
});

test('members do not see the status', async () => {
  const { errors } = await gateway.graphql(STATUS);
  expect(errors?.[0]?.extensions?.code).toBe('PERMISSION_DENIED');
});

test('adds the periods of processes by their numbers, and fills gaps with zeros', () => {
  const counts = (requests: number) => ({ requests, errors: 0, serverErrors: 0, events: 0 });
  const one = {
    periods: [
      [100, counts(10)],
      [102, counts(30)],
    ] as Array<[number, ReturnType<typeof counts>]>,
  };
  const other = {
    periods: [
      [102, counts(5)],
      [103, counts(7)],
    ] as Array<[number, ReturnType<typeof counts>]>,
  };
  const { from, periodSeconds, rates } = trafficOf([one, other], new Date(103_000 * 10 + 4_000));
  expect(from).toEqual(new Date(1_000_000));
  expect(periodSeconds).toBe(10);
  expect(rates.requests).toEqual([1, 0, 3.5]);
});

test('keeps 15 minutes, and reports none before the first complete period', () => {
  const counts = { requests: 10, errors: 1, serverErrors: 1, events: 2 };
  const periods = Array.from({ length: 95 }, (_, index): [number, typeof counts] => [1_000 + index, counts]);
  const { rates } = trafficOf([{ periods }], new Date(1_095 * 10_000));
  expect(rates.requests).toHaveLength(90);
  expect(trafficOf([{ periods: [] }], new Date(10_000)).rates.requests).toEqual([]);
});
