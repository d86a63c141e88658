import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createStorage } from '../../src/files/create-storage.ts';
import { findCredentials } from '../../src/files/s3-credentials.ts';
import { StorageError } from '../../src/files/storage-error.ts';
import { startTestGateway } from '../support/gateway.ts';

/** The objects, and the parts of unfinished uploads, of a server that implements some of the S3 protocol. */
const objects = new Map<string, Buffer>();
const parts = new Map<string, Buffer[]>();
const signatures: string[] = [];
let server: Server;
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { pathname: path, searchParams } = new URL(request.url ?? '', 'http://bucket');
    signatures.push(String(request.headers.authorization));
    const body = Buffer.concat(await request.toArray().catch(() => []));
    const uploadId = searchParams.get('uploadId');
    const pending = parts.get(uploadId ?? '');
    if (request.method === 'POST' && searchParams.has('uploads')) {
      parts.set('upload/1', []);
      return response.end(
        '<InitiateMultipartUploadResult><UploadId>upload/1</UploadId></InitiateMultipartUploadResult>',
      );
    }
    if (uploadId && !pending) return response.writeHead(404).end('<Error><Code>NoSuchUpload</Code></Error>');
    if (uploadId && pending) {
      if (request.method === 'PUT') {
        pending[Number(searchParams.get('partNumber')) - 1] = body;
        return response.setHeader('etag', `"${pending.length}"`).end();
      }
      if (request.method === 'POST' && String(body).includes(`<ETag>"${pending.length}"</ETag>`))
        objects.set(path, Buffer.concat(pending));
      parts.delete(uploadId);
      return response.end('<CompleteMultipartUploadResult/>');
    }
    if (request.method === 'PUT') {
      const hash = createHash('sha256').update(body).digest('hex');
      if (request.headers['x-amz-content-sha256'] !== hash) return response.writeHead(400).end();
      objects.set(path, body);
      return response.setHeader('etag', '"1"').end();
    }
    const found = objects.get(path);
    if (request.method === 'DELETE') {
      objects.delete(path);
      return response.writeHead(204).end();
    }
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    const shown = range ? found?.subarray(Number(range[1]), Number(range[2]) + 1) : found;
    if (shown) return response.setHeader('content-length', shown.length).end(shown);
    return response.writeHead(404, { 'content-type': 'application/xml' }).end('<Error><Code>NoSuchKey</Code></Error>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());

/** The settings of a bucket on this server. */
function bucketAt(bucket: Server): Record<string, string> {
  const { port } = bucket.address() as AddressInfo;
  return {
    BUCKET_NAME: 'files',
    BUCKET_ENDPOINT: `http://127.0.0.1:${port}`,
    BUCKET_KEY_ID: 'key',
    BUCKET_SECRET: 'secret',
  };
}

test('stores, serves and deletes files by id', async () => {
  const storage = createStorage(readConfig(bucketAt(server)));
  await storage.put('0123456789abcdef01234567', Readable.from([Buffer.from('one '), Buffer.from('two')]));
  expect(signatures.at(-1)).toMatch(/^AWS4-HMAC-SHA256 Credential=key\/\d{8}\/us-east-1\/s3\/aws4_request, /);
  expect([...objects.keys()]).toEqual(['/files/0123456789abcdef01234567']);
  const found = await storage.get('0123456789abcdef01234567');
  expect(found!.size).toBe(7);
  expect(Buffer.concat(await found!.bytes.toArray()).toString()).toBe('one two');
  const middle = await storage.get('0123456789abcdef01234567', { start: 2, end: 4 });
  expect(Buffer.concat(await middle!.bytes.toArray()).toString()).toBe('e t');
  await storage.remove('0123456789abcdef01234567');
  expect(await storage.get('0123456789abcdef01234567')).toBeNull();
});

test('keeps nothing of an interrupted upload', async () => {
  const storage = createStorage(readConfig(bucketAt(server)));
  const bytes = Readable.from(
    (async function* () {
      yield Buffer.from('one ');
      throw new Error('interrupted');
    })(),
  );
  await expect(storage.put('broken', bytes)).rejects.toThrow();
  expect(objects.has('/files/broken')).toBe(false);
});

test('sends a large file in parts, and removes the parts of an interrupted one', async () => {
  const storage = createStorage(readConfig(bucketAt(server)));
  const mebibytes = (count: number) => Array.from({ length: count }, (_, i) => Buffer.alloc(1_048_576, i));
  await storage.put('large', Readable.from(mebibytes(20)));
  expect(objects.get('/files/large')!.equals(Buffer.concat(mebibytes(20)))).toBe(true);
  const interrupted = Readable.from(
    (async function* () {
      yield* mebibytes(17);
      throw new Error('interrupted');
    })(),
  );
  await expect(storage.put('cut', interrupted)).rejects.toThrow('interrupted');
  expect([objects.has('/files/cut'), parts.size]).toEqual([false, 0]);
});

test('signs with the credentials of the machine where none are configured', async () => {
  const settings = { BUCKET_KEY_ID: undefined, BUCKET_SECRET: undefined, BUCKET_REGION: 'eu-west-1' };
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-credentials-'));
  const file = join(folder, 'credentials');
  await writeFile(
    file,
    '[default]\naws_access_key_id = A\n[other]\naws_access_key_id = FILE\naws_secret_access_key = S\n',
  );
  const nothing = { AWS_SHARED_CREDENTIALS_FILE: '/nowhere', AWS_EC2_METADATA_DISABLED: 'true' };
  const services = createServer((request, response) => {
    const json = (id: string) =>
      JSON.stringify({ AccessKeyId: id, SecretAccessKey: 'S', Token: 'T', Expiration: '2030-01-01T00:00:00Z' });
    const { url = '', headers } = request;
    if (url === '/sts')
      return response.end(
        '<AccessKeyId>STS</AccessKeyId><SecretAccessKey>S</SecretAccessKey><SessionToken>T</SessionToken><Expiration>2030-01-01T00:00:00Z</Expiration>',
      );
    if (url === '/container') return response.end(headers.authorization === 'secret' ? json('CONTAINER') : '{}');
    if (url === '/latest/api/token') return response.end('session');
    if (headers['x-aws-ec2-metadata-token'] !== 'session') return response.writeHead(401).end();
    return response.end(url.endsWith('/role') ? json('INSTANCE') : 'role');
  });
  await new Promise<void>((listening) => services.listen(0, '127.0.0.1', listening));
  const base = `http://127.0.0.1:${(services.address() as AddressInfo).port}`;
  const ids = async (env: Record<string, string>) =>
    (await findCredentials(settings, { ...nothing, ...env })).accessKeyId;
  expect(await ids({ AWS_ACCESS_KEY_ID: 'ENV', AWS_SECRET_ACCESS_KEY: 'S' })).toBe('ENV');
  expect(await ids({ AWS_SHARED_CREDENTIALS_FILE: file, AWS_PROFILE: 'other' })).toBe('FILE');
  expect(
    await ids({ AWS_ROLE_ARN: 'arn', AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_ENDPOINT_URL_STS: `${base}/sts` }),
  ).toBe('STS');
  expect(
    await ids({
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${base}/container`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN: 'secret',
    }),
  ).toBe('CONTAINER');
  const instance = { AWS_EC2_METADATA_DISABLED: '', AWS_EC2_METADATA_SERVICE_ENDPOINT: base };
  expect(await findCredentials(settings, { ...nothing, ...instance })).toEqual({
    accessKeyId: 'INSTANCE',
    secretAccessKey: 'S',
    sessionToken: 'T',
    expiresAt: Date.UTC(2030, 0),
  });
  await expect(findCredentials(settings, { ...nothing, AWS_SHARED_CREDENTIALS_FILE: file })).rejects.toThrow(
    /No credentials/,
  );
  services.close();
  await rm(folder, { recursive: true });
});

test('answers uploads and downloads with 503 while the bucket fails', async () => {
  const failing = createServer((request, response) => {
    request.resume();
    response.writeHead(500).end();
  });
  await new Promise<void>((listening) => failing.listen(0, '127.0.0.1', listening));
  const gateway = await startTestGateway({ LOG_LEVEL: 'silent', ...bucketAt(failing) });
  const body = new FormData();
  body.append('files', new Blob(['text']), 'x.txt');
  const headers = { authorization: `Bearer ${await gateway.tokenOf('alice')}` };
  const answers = [
    await fetch(`${gateway.url}/api/v4/files`, { method: 'POST', headers, body }),
    await fetch(`${gateway.url}/files/avatar-alice`),
  ];
  for (const answer of answers) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await answer.json()).toMatchObject({
      status: 'error',
      message: 'The file storage is unavailable.',
    });
  }
  await gateway.close();
  failing.close();
});

describe('a bucket that stops answering', () => {
  const BUCKET_TIMEOUT_MS = '1000';

  /** A gateway on a bucket that accepts every connection. */
  async function startOn(answer: RequestListener) {
    const bucket = createServer(answer);
    await new Promise<void>((listening) => bucket.listen(0, '127.0.0.1', listening));
    const gateway = await startTestGateway({ LOG_LEVEL: 'silent', BUCKET_TIMEOUT_MS, ...bucketAt(bucket) });
    onTestFinished(async () => {
      await gateway.close();
      bucket.closeAllConnections();
      bucket.close();
    });
    return gateway;
  }

  test.each<[string, RequestListener]>([
    ['accepts the connection and sends nothing', () => undefined],
    ['begins an error and stops in the middle of its body', (_, response) => response.writeHead(403).write('<Er')],
  ])('and %s: uploads and downloads end with 503 in time', async (_, answer) => {
    const gateway = await startOn(answer);
    const authorization = `Bearer ${await gateway.tokenOf('alice')}`;
    const body = new FormData();
    body.append('files', new Blob(['text']), 'x.txt');
    const startedAt = performance.now();
    const answers = await Promise.all([
      fetch(`${gateway.url}/api/v4/files`, { method: 'POST', headers: { authorization }, body }),
      fetch(`${gateway.url}/files/avatar-alice`),
    ]);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    for (const answer of answers) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
      expect(await answer.json()).toMatchObject({ status: 'error', message: 'The file storage is unavailable.' });
    }
  });

  test('in the middle of a file: the download is cut in time', async () => {
    const gateway = await startOn((_, response) => {
      response.setHeader('content-length', 1_000_000).write(Buffer.alloc(1_000));
    });
    const answer = await fetch(`${gateway.url}/files/avatar-alice`);
    expect(answer.status).toBe(200);
    const startedAt = performance.now();
    await expect(answer.arrayBuffer()).rejects.toThrow('terminated');
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });

  test('in the middle of a file: reading it fails with the error of an unavailable storage', async () => {
    const { services } = await startOn((_, response) => {
      response.setHeader('content-length', 1_000_000).write(Buffer.alloc(1_000));
    });
    const found = await services.files.get('avatar-alice');
    await expect(found!.bytes.toArray()).rejects.toThrow(StorageError);
  });

  test('only while bytes are awaited: a file that is sent and read slowly is read as a whole', async () => {
    const { services } = await startOn(async (_, response) => {
      response.setHeader('content-length', 8);
      for (let sent = 0; sent < 8; sent += 1) {
        response.write('x');
        await new Promise((later) => setTimeout(later, 250));
      }
      response.end();
    });
    const found = await services.files.get('avatar-alice');
    let text = '';
    for await (const chunk of found!.bytes) {
      text += chunk;
      if (text.length === 1) await new Promise((later) => setTimeout(later, 2_000));
    }
    expect(text).toBe('xxxxxxxx');
  });
});
