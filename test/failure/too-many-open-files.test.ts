import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type BuiltProgram, buildGateway } from '../support/build-program.ts';
import { signIn } from '../support/gateway.ts';
import { rawClient, requestText } from '../support/raw-client.ts';
import { type SpawnedGateway, spawnGateway } from '../support/spawn-gateway.ts';

const KEYS = {
  API_KEY: 'descriptors-api-key',
  SERVER_KEY: 'descriptors-server-key',
  TOKEN_SECRET: 'descriptors-token-secret-of-32-characters',
};
const canLimitProcess = spawnSync('prlimit', ['--version']).status === 0;

describe.skipIf(!canLimitProcess)('a process that may open no more files', () => {
  let program: BuiltProgram;
  let folder: string;
  let gateway: SpawnedGateway;
  beforeAll(async () => {
    program = await buildGateway();
    folder = await mkdtemp(join(tmpdir(), 'colloquy-descriptors-'));
    gateway = await spawnGateway({
      file: join(program.folder, 'main.js'),
      env: { ...KEYS, DATA_DIR: folder, NODE_ENV: 'test', RATE_LIMITS: 'off', LOG_LEVEL: 'silent' },
    });
  }, 240_000);
  afterAll(async () => {
    await gateway.kill();
    await rm(folder, { recursive: true, force: true });
    await program.remove();
  });

  const limitDescriptors = (count: number) =>
    promisify(execFile)('prlimit', ['--pid', String(gateway.child.pid), `--nofile=${count}:`]);

  /** The number that the next file of the process would get. */
  async function nextDescriptor(): Promise<number> {
    const open = new Set((await readdir(`/proc/${gateway.child.pid}/fd`)).map(Number));
    let next = 0;
    while (open.has(next)) next += 1;
    return next;
  }

  test('answers an upload with 503 and stores nothing, and stores the next one when it may open files again', async () => {
    const token = await signIn({ url: gateway.url, keys: KEYS }, 'alice');
    const body = '--b\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\ntext\r\n--b--\r\n';
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'multipart/form-data; boundary=b' };
    const upload = requestText('/api/v4/files', { method: 'POST', headers, body });
    const stored = () => readdir(join(folder, 'files'));
    // A connection that is open already, whose first request opens those to the database.
    const connection = await rawClient(gateway);
    const answers = connection.read();
    const send = async (count: number) => {
      connection.write(upload);
      await vi.waitUntil(() => answers.text.split('HTTP/1.1 ').length > count, { timeout: 30_000 });
      return answers.text.split('HTTP/1.1 ')[count]!;
    };
    expect(await send(1)).toMatch(/^200 /);
    const before = await stored();

    await limitDescriptors(await nextDescriptor());
    const refused = await send(2);
    await limitDescriptors(1_024);
    expect(refused).toMatch(/^503 /);
    expect(refused).toMatch(/\r\nretry-after: 2\r\n/i);
    expect(refused).toContain('Too many files are open: nothing was stored.');
    expect(await stored()).toEqual(before);

    expect(await send(3)).toMatch(/^200 /);
    connection.socket.destroy();
  }, 120_000);
});
