import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { ObjectId } from 'mongodb';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createArchive } from '../../src/export/write-archive.ts';
import { signIn, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { mutations, successfulMutations } from '../support/mutate.ts';
import { downloadExport, exportPath, manifestOf, readArchive } from '../support/read-archive.ts';

const MIB = 1_048_576;
/** More than the buffers of a connection hold. */
const FILE_BYTES = 48 * MIB;
const BLOCK = randomBytes(MIB);

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
  await gateway.tokenOf('collector');
  await insertFile('collector', 'large');
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => gateway.close());

const statusOf = async (url: string, method = 'GET') => {
  const response = await fetch(url, { method });
  await response.arrayBuffer();
  return response.status;
};

async function insertFile(userId: string, fileId: string): Promise<void> {
  const { files } = gateway.services.store.collections;
  const createdAt = new Date();
  const metadata = { exif: {}, gps: {}, height: 0, width: 0, isFull: true };
  const attributes = { name: '../x', extension: '../../etc', size: FILE_BYTES, mimeType: 'application/x', metadata };
  const file = { fileId, altText: null, type: 'file', accessType: 'network', userId, attributes } as const;
  await files.insertOne({
    _id: new ObjectId(),
    networkId: gateway.networkId,
    createdAt,
    updatedAt: createdAt,
    ...file,
  });
}

/** Replaces the bytes of files. @returns how many were read */
function storeFiles(options: { bytes?: number; failsAt?: number } = {}): { read: number } {
  const { bytes = FILE_BYTES, failsAt = Number.POSITIVE_INFINITY } = options;
  const counted = { read: 0 };
  vi.spyOn(gateway.services.files, 'get').mockImplementation(async () => {
    async function* blocks() {
      for (let sent = 0; sent < bytes; sent += MIB) {
        if (sent >= failsAt) throw new Error('The storage failed.');
        counted.read += MIB;
        yield BLOCK;
      }
    }
    return { size: FILE_BYTES, bytes: Readable.from(blocks(), { objectMode: false }) };
  });
  return counted;
}

/** Begins a download and reads nothing of its body. */
async function begin(url: string): Promise<IncomingMessage> {
  const request = get(url, { agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  return response;
}

async function bytesOf(response: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** What arrived until the connection ended, and the error of the client. */
async function partOf(response: IncomingMessage): Promise<{ bytes: Buffer; error: unknown }> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return { bytes: Buffer.concat(chunks), error: null };
  } catch (error) {
    return { bytes: Buffer.concat(chunks), error };
  }
}

test('an address works once, and HEAD does not use it up', async () => {
  const url = await exportPath(gateway, 'bob');
  expect(await statusOf(url, 'HEAD')).toBe(404);
  const statuses = await Promise.all([statusOf(url), statusOf(url), statusOf(url)]);
  expect(statuses.sort()).toEqual([200, 404, 404]);
});

test.each([
  ['without a token', ''],
  ['with a token that does not exist', '?token=default.none'],
  ['with a token of another network', '?token=elsewhere.none'],
  ['with a token that names no network', '?token=none'],
  ['with two tokens', '?token=default.a&token=default.b'],
  ['with an object', '?token[$ne]=default.a'],
  ['with a zero byte', '?token=default.%00'],
  ['with a long token', `?token=${'x'.repeat(20_000)}`],
])('answers 404 %s', async (_, query) => {
  expect(await statusOf(`${gateway.url}/exports${query}`)).toBe(404);
});

test('an address ends with its time, its session and the rights of its user', async () => {
  const { userExports } = gateway.services.store.collections;
  const execute = successfulMutations(gateway);
  const expired = await exportPath(gateway, 'bob');
  await userExports.updateOne({ networkId: gateway.networkId, userId: 'bob' }, { $set: { expiresAt: new Date() } });
  expect(await statusOf(expired)).toBe(404);

  const signedOut = await exportPath(gateway, 'leo');
  await execute('admin', 'revokeSessions', { userId: 'leo' }, 'success');
  expect(await statusOf(signedOut)).toBe(404);

  await execute('admin', 'addUserRoles', { userId: 'kim', roleIds: ['global-admin'] });
  const demoted = await exportPath(gateway, 'kim', { userId: 'bob' });
  await execute('admin', 'removeUserRoles', { userId: 'kim', roleIds: ['global-admin'] });
  expect(await statusOf(demoted)).toBe(404);
});

test('the store contains only the hash of a token', async () => {
  const token = new URL(await exportPath(gateway, 'bob')).searchParams.get('token')!;
  const stored = await gateway.services.store.collections.userExports.find({}).toArray();
  expect(JSON.stringify(stored)).not.toContain(token.split('.')[1]);
  expect(stored.at(-1)!.expiresAt.getTime() - Date.now()).toBeLessThanOrEqual(600_000);
});

test('the request and the download are in the audit log, with the address of each', async () => {
  await downloadExport(gateway, 'admin', { userId: 'frank', reason: 'Request 7' });
  const { auditEntries } = gateway.services.store.collections;
  const entries = await auditEntries.find({ networkId: gateway.networkId, affectedUserId: 'frank' }).toArray();
  const address = '127.0.0.1';
  expect(entries).toMatchObject([
    { action: 'exportUser', actorId: 'admin', subjectId: 'frank', reason: 'Request 7', transport: 'graphql', address },
    { action: 'downloadExport', actorId: 'admin', subjectId: 'frank', transport: 'rest', address },
  ]);
});

test('a storage that fails in the middle breaks the response and the archive', async () => {
  storeFiles({ failsAt: 4 * MIB });
  const { bytes, error } = await partOf(await begin(await exportPath(gateway, 'collector')));
  expect(error).toMatchObject({ code: 'ECONNRESET' });
  expect(bytes.length).toBeGreaterThan(0);
  expect(() => gunzipSync(bytes)).toThrow('unexpected end of file');
  await expect(readArchive(bytes)).rejects.toThrow();
});

test('a file that is shorter than announced breaks the response', async () => {
  storeFiles({ bytes: 2 * MIB });
  const { bytes, error } = await partOf(await begin(await exportPath(gateway, 'collector')));
  expect(error).toMatchObject({ code: 'ECONNRESET' });
  expect(() => gunzipSync(bytes)).toThrow('unexpected end of file');
});

test('a file is closed if the reader left while it was opened', async () => {
  const archive = createArchive(gateway.services, { networkId: gateway.networkId, userId: 'collector' });
  const bytes = Readable.from([BLOCK]);
  vi.spyOn(gateway.services.files, 'get').mockImplementation(async () => {
    archive.destroy();
    await once(archive, 'close');
    return { size: MIB, bytes };
  });
  archive.resume();
  await vi.waitUntil(() => bytes.destroyed);
});

test('a file without bytes is counted as missing, and the archive is complete', async () => {
  vi.spyOn(gateway.services.files, 'get').mockResolvedValue(null);
  expect(manifestOf(await downloadExport(gateway, 'collector')).files).toEqual({ count: 0, missing: 1 });
});

test('a reader that pauses stops the reading of files, and receives everything afterwards', async () => {
  const counted = storeFiles();
  const response = await begin(await exportPath(gateway, 'collector'));
  let before = -1;
  await vi.waitUntil(
    () => {
      const isStill = counted.read === before && before > 0;
      before = counted.read;
      return isStill;
    },
    { timeout: 90_000, interval: 1_000 },
  );
  expect(counted.read).toBeLessThan(FILE_BYTES / 2);
  const archive = await readArchive(await bytesOf(response));
  expect(archive.get('files/large.bin')).toHaveLength(FILE_BYTES);
  expect([...archive.keys()].at(-1)).toBe('manifest.json');
});

test('readers that disconnect end their downloads, of which three run at a time; a fourth waits without losing its address', async () => {
  const counted = storeFiles();
  const urls: string[] = [];
  for (let count = 0; count < 4; count++) urls.push(await exportPath(gateway, 'collector'));
  const responses = await Promise.all(urls.slice(0, 3).map(begin));
  const refused = await fetch(urls[3]!);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
  await refused.arrayBuffer();
  for (const response of responses) {
    response.on('error', () => undefined);
    response.destroy();
  }
  vi.spyOn(gateway.services.files, 'get').mockResolvedValue(null);
  const last = await vi.waitUntil(
    async () => {
      const response = await fetch(urls[3]!);
      if (response.status === 200) return response;
      await response.arrayBuffer();
      return null;
    },
    { timeout: 90_000, interval: 200 },
  );
  const { read } = counted;
  expect(manifestOf(await readArchive(Buffer.from(await last.arrayBuffer()))).files).toEqual({ count: 0, missing: 1 });
  // The reads of the first three did not continue.
  expect(counted.read - read).toBeLessThanOrEqual(3 * MIB);
});

test('the mutation and the commands of the guide download an archive', async () => {
  const guide = await readFile(join(import.meta.dirname, '../../docs/guides/export-a-person.md'), 'utf8');
  const [, document] = /```graphql\n(.*?)```/s.exec(guide)!;
  const [, commands] = /```bash\n(.*?)```/s.exec(guide)!;
  const { data } = await gateway.graphql<{ exportUser: { export: { url: string } } }>(document!, { as: 'admin' });
  const url = new URL(data.exportUser.export.url);
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-export-'));
  try {
    const env = { ...process.env, URL: `${gateway.url}${url.pathname}${url.search}` };
    const { stdout } = await promisify(execFile)('bash', ['-ec', commands!], { cwd: folder, env });
    expect(stdout.trim()).toBe('manifest.json');
    // The address was used.
    await expect(promisify(execFile)('bash', ['-ec', commands!], { cwd: folder, env })).rejects.toThrow('404');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('an export has a rate limit of its own', async () => {
  const limited = await startTestGateway({ LOG_LEVEL: 'silent', RATE_LIMITS: 'on', RATE_LIMIT_EXPORTS: '1' });
  try {
    const request = () => mutations(limited)('bob', 'exportUser', {}, 'export { url }');
    expect(await request()).toHaveProperty('export');
    await expect(request()).rejects.toThrow('RATE_LIMITED');
    await signIn(limited, 'carol', 'phone');
    expect(await mutations(limited)('carol', 'exportUser', {}, 'export { url }')).toHaveProperty('export');
  } finally {
    await limited.close();
  }
});
