import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createStorage } from '../../src/files/create-storage.ts';
import { startTestGateway } from '../support/gateway.ts';

/** The objects of a server that implements PUT, GET and DELETE of the S3 protocol. */
const objects = new Map<string, Buffer>();
let server: Server;
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '', 'http://bucket').pathname;
    const body = Buffer.concat(await request.toArray().catch(() => []));
    if (request.method === 'PUT') {
      const isChunked = String(request.headers['content-encoding']).includes('aws-chunked');
      objects.set(path, isChunked ? withoutChunks(body) : body);
      return response.setHeader('etag', '"1"').end();
    }
    const found = objects.get(path);
    if (request.method === 'DELETE') {
      objects.delete(path);
      return response.writeHead(204).end();
    }
    if (found) return response.setHeader('content-length', found.length).end(found);
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

/** Decodes `aws-chunked`: a size in hexadecimal before each chunk, checksums after the last. */
function withoutChunks(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.toString('latin1', at, end), 16);
    if (!size) return Buffer.concat(parts);
    parts.push(body.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}

test('stores, serves and deletes files by id', async () => {
  const storage = createStorage(readConfig(bucketAt(server)));
  await storage.put('0123456789abcdef01234567', Readable.from([Buffer.from('one '), Buffer.from('two')]));
  expect([...objects.keys()]).toEqual(['/files/0123456789abcdef01234567']);
  const found = await storage.get('0123456789abcdef01234567');
  expect(found!.size).toBe(7);
  expect(Buffer.concat(await found!.bytes.toArray()).toString()).toBe('one two');
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
