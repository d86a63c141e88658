import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { rawClient, requestText } from '../support/raw-client.ts';

let gateway: TestGateway;
let token: string;
beforeAll(async () => {
  gateway = await startTestGateway({ LOG_LEVEL: 'silent' });
  token = await gateway.tokenOf('alice');
});
afterAll(() => gateway.close());

const stored = async () => (await readdir(join(gateway.services.config.DATA_DIR, 'files'))).sort();

/** Holds each file back before the storage reads it, as a busy disk does. */
function holdStorage() {
  const { files } = gateway.services;
  const { put } = files;
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const spy = vi.spyOn(files, 'put').mockImplementation(async (fileId, bytes) => {
    await isReleased;
    await put(fileId, bytes);
  });
  const remove = vi.spyOn(files, 'remove');
  onTestFinished(() => {
    spy.mockRestore();
    remove.mockRestore();
  });
  return { release, calls: spy.mock.calls, results: spy.mock.settledResults, removals: remove.mock.settledResults };
}

/** Watches for failures that are reported as an outage of the database. */
function watchReports() {
  const spy = vi.spyOn(gateway.services.store.availability, 'reportFailure');
  onTestFinished(() => spy.mockRestore());
  return spy;
}

const field = (name: string, value: unknown) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${JSON.stringify(value)}\r\n`;
const file = (name: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"; filename="a.bin"\r\n\r\n${'x'.repeat(2_000)}`;

const REST = { path: '/api/v4/files', before: '', names: ['files', 'files'] };
const GRAPHQL = {
  path: '/graphql',
  before:
    field('operations', {
      query: 'mutation ($files: [Upload!]!) { uploadFiles(input: { files: $files }) { __typename } }',
      variables: { files: [null, null] },
    }) + field('map', { 0: ['variables.files.0'], 1: ['variables.files.1'] }),
  names: ['0', '1'],
};

describe.each([
  ['REST', REST],
  ['GraphQL', GRAPHQL],
])('an upload over %s that its client aborts before the storage reads it', (_, { path, before, names }) => {
  test.each([
    ['in its first file', 1],
    ['in its second file', 2],
  ])('%s ends, leaves no file and reports no outage', async (_case, count) => {
    const kept = await stored();
    const storage = holdStorage();
    const reportFailure = watchReports();
    const received = once(gateway.server.server, 'request');
    const client = await rawClient(gateway);
    const headers = {
      Authorization: `Bearer ${token}`,
      'GraphQL-Require-Preflight': '1',
      'Content-Type': 'multipart/form-data; boundary=b',
      'Content-Length': '100000',
    };
    const body = before + names.slice(0, count).map(file).join('\r\n');
    client.write(requestText(path, { method: 'POST', headers }) + body);
    const [request] = (await received) as [IncomingMessage];
    await vi.waitUntil(() => storage.calls.length === 1, { timeout: 30_000 });
    client.socket.resetAndDestroy();
    await vi.waitUntil(() => request.closed, { timeout: 30_000 });
    storage.release();
    await vi.waitUntil(() => storage.results.filter(({ type }) => type !== 'incomplete').length === count, {
      timeout: 30_000,
    });
    expect(storage.results.at(-1)!.type).toBe('rejected');
    await vi.waitUntil(() => storage.removals.filter(({ type }) => type === 'fulfilled').length === count, {
      timeout: 30_000,
    });
    expect(await stored()).toEqual(kept);
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
    expect(reportFailure).not.toHaveBeenCalled();
  });
});

test.each(['/graphql', '/api/v3/comments'])(
  'a body of %s that is aborted is no outage of the database',
  async (path) => {
    const reportFailure = watchReports();
    const received = once(gateway.server.server, 'request');
    const client = await rawClient(gateway);
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '1000' };
    client.write(`${requestText(path, { method: 'POST', headers })}{`);
    const [request] = (await received) as [IncomingMessage];
    client.socket.resetAndDestroy();
    await vi.waitUntil(() => request.closed, { timeout: 30_000 });
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
    expect(reportFailure).not.toHaveBeenCalled();
  },
);
