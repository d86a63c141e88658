import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuiltProgram, buildGateway } from '../support/build-program.ts';
import { signIn } from '../support/gateway.ts';
import { manifestOf, readArchive } from '../support/read-archive.ts';
import { type SpawnedGateway, spawnGateway } from '../support/spawn-gateway.ts';

const KEYS = {
  API_KEY: 'export-api-key',
  SERVER_KEY: 'export-server-key',
  TOKEN_SECRET: 'export-token-secret-of-32-characters',
};
const MIB = 1_048_576;
/** More than the buffers of a connection hold, and incompressible. */
const FILES = 4;
const FILE_BYTES = 8 * MIB;
/** The end of the gateway waits for other requests for a second longer. */
const DATABASE_TIMEOUT_MS = 120_000;

let program: BuiltProgram;
let folder: string;
let gateway: SpawnedGateway | undefined;
beforeAll(async () => {
  program = await buildGateway();
  folder = await mkdtemp(join(tmpdir(), 'colloquy-export-'));
}, 120_000);
afterAll(async () => {
  await gateway?.kill();
  await program.remove();
  await rm(folder, { recursive: true, force: true });
});

async function start(workers: number): Promise<SpawnedGateway> {
  gateway = await spawnGateway({
    file: join(program.folder, 'main.js'),
    env: {
      ...KEYS,
      DATA_DIR: folder,
      NODE_ENV: 'test',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'silent',
      WORKERS: String(workers),
      DATABASE_TIMEOUT_MS: String(DATABASE_TIMEOUT_MS),
    },
  });
  return gateway;
}

async function upload({ url }: SpawnedGateway, token: string): Promise<void> {
  const body = new FormData();
  body.append('files', new Blob([randomBytes(FILE_BYTES)]), 'noise.bin');
  const response = await fetch(`${url}/api/v4/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body,
  });
  expect(response.status).toBe(200);
}

/** Path of the download of an export of the user's own data. */
async function exportPath({ url }: SpawnedGateway, token: string): Promise<string> {
  const query = 'mutation { exportUser(input: {}) { ... on ExportUserPayload { export { url } } } }';
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query }),
  });
  const { data } = (await response.json()) as { data: { exportUser: { export: { url: string } } } };
  const { pathname, search } = new URL(data.exportUser.export.url);
  return `${pathname}${search}`;
}

/** Begins a download that is read too slowly to end by itself. */
async function beginSlowly(url: string) {
  const request = get(url, { agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  const chunks: Buffer[] = [];
  const ended = (async () => {
    for await (const chunk of response) {
      chunks.push(chunk as Buffer);
      await pause(500);
    }
  })().then(
    () => null,
    (error: unknown) => error,
  );
  return { chunks, ended };
}

test.each([1, 2])(
  'a gateway of %i worker that ends does not wait for an export, whose URL then works again',
  async (workers) => {
    const before = await start(workers);
    const token = await signIn({ url: before.url, keys: KEYS }, 'carol');
    for (let index = 0; index < FILES; index += 1) await upload(before, token);
    const path = await exportPath(before, token);
    const { chunks, ended } = await beginSlowly(`${before.url}${path}`);
    expect((await fetch(`${before.url}${path}`)).status).toBe(404);

    const signalledAt = performance.now();
    before.child.kill('SIGTERM');
    expect(await before.ended).toEqual([0, null]);
    expect(performance.now() - signalledAt).toBeLessThan(DATABASE_TIMEOUT_MS / 2);
    expect(await ended).toBeInstanceOf(Error);
    await expect(readArchive(Buffer.concat(chunks))).rejects.toThrow();

    const after = await start(workers);
    const response = await fetch(`${after.url}${path}`);
    expect(response.status).toBe(200);
    const archive = await readArchive(Buffer.from(await response.arrayBuffer()));
    expect(manifestOf(archive).files).toMatchObject({ missing: 0 });
    expect(manifestOf(archive).files.count).toBeGreaterThanOrEqual(FILES);
    expect((await fetch(`${after.url}${path}`)).status).toBe(404);
    after.child.kill('SIGTERM');
    expect(await after.ended).toEqual([0, null]);
  },
  300_000,
);
