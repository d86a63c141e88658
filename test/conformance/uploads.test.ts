import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FileRequests, fileRequests, type Part } from '../support/file-requests.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';
import { PNG } from '../support/png.ts';

let gateway: TestGateway;
let files: FileRequests;
const mutate = mutations(() => gateway);
beforeAll(async () => {
  gateway = await startTestGateway({ FILE_LIMIT_MB: '3' });
  files = fileRequests(gateway);
});
afterAll(() => gateway.close());

describe('an upload', () => {
  test('returns a bare array of records; types are determined from the bytes', async () => {
    const { status, body } = await files.upload('/api/v4/images', [
      ['files', PNG, '../../etc/hüte‮gnp.html', 'text/html'],
      ['accessType', 'public'],
    ]);
    expect(status).toBe(200);
    expect(body).toMatchObject([
      {
        fileId: expect.stringMatching(/^[0-9a-f]{32}$/),
        type: 'image',
        accessType: 'public',
        altText: null,
        attributes: {
          name: 'hütegnp.html',
          extension: 'png',
          mimeType: 'image/png',
          size: PNG.length,
          metadata: { width: 3, height: 2, exif: {}, gps: {}, isFull: true },
        },
      },
    ]);
    const { fileId } = body[0];
    expect(body[0].fileUrl).toBe(`http://files.test/files/${fileId}`);
    const served = await files.fetchFile(fileId);
    expect(Buffer.from(await served.arrayBuffer()).equals(PNG)).toBe(true);
    expect(served.headers.get('content-type')).toBe('image/png');
    expect(served.headers.get('x-content-type-options')).toBe('nosniff');
    const read = await gateway.rest(`/api/v3/files/${fileId}`);
    expect(read.body).toMatchObject({ ...body[0], files: [body[0]] });
    const asAvatar = await mutate('alice', 'updateUser', { avatarFileId: fileId }, 'user { avatar { fileId } }');
    expect(asAvatar.user.avatar).toEqual({ fileId });
  });

  test('creates ids of 128 random bits that cannot be derived from other ids of the file', async () => {
    const { body } = await files.upload('/api/v4/images', [
      ['files', PNG, 'one.png', 'image/png'],
      ['files', PNG, 'two.png', 'image/png'],
    ]);
    const [one, two] = body.map(({ fileId }: { fileId: string }) => fileId);
    expect([one, two]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(BigInt(`0x${one}`) ^ BigInt(`0x${two}`)).toBeGreaterThan(2n ** 64n);
    expect(one.slice(-8)).not.toBe(two.slice(-8));
    const { data } = await gateway.graphql<{ file: { internalId: string } }>(
      `{ file(fileId: "${one}") { internalId } }`,
    );
    expect(data.file.internalId).toMatch(/^[0-9a-f]{24}$/);
    expect((await files.fetchFile(data.file.internalId)).status).toBe(404);
  });

  test('accepts several files, a preferred name and network-only access', async () => {
    const { body } = await files.upload('/api/v4/files', [
      ['files', 'one', 'one.txt'],
      ['files', new Uint8Array([0, 1, 2, 255]), 'two'],
      ['preferredFilename', 'notes.md'],
      ['accessType', 'network'],
    ]);
    expect(body.map((file: { attributes: object }) => file.attributes)).toMatchObject([
      { name: 'notes.md', mimeType: 'text/plain', extension: 'md' },
      { name: 'notes.md', mimeType: 'application/octet-stream' },
    ]);
    const { fileId } = body[0];
    expect((await files.fetchFile(fileId)).status).toBe(404);
    const served = await files.fetchFile(fileId, 'erin');
    expect([served.status, await served.text()]).toEqual([200, 'one']);
    expect(served.headers.get('cache-control')).toBe('private, no-store');
  });

  test('accepts bodies larger than those of other routes', async () => {
    const { status, body } = await files.upload('/api/v4/files', [['files', new Uint8Array(3 * 1_048_576), 'big']]);
    expect([status, body[0].attributes.size]).toEqual([200, 3 * 1_048_576]);
    expect((await (await files.fetchFile(body[0].fileId)).arrayBuffer()).byteLength).toBe(3 * 1_048_576);
  });

  test('stores nothing of a rejected upload', async () => {
    const before = [await files.kept(), await files.records()];
    const big = new Uint8Array(3 * 1_048_576 + 1);
    const cases: Array<[status: number, path: string, parts: Part[], as?: string | null]> = [
      [401, '/api/v4/files', [['files', 'x', 'x.txt']], null],
      [413, '/api/v4/files', [['files', big, 'big']]],
      [413, '/api/v4/files', Array.from({ length: 11 }, (_, index): Part => ['files', 'x', `${index}`])],
      [415, '/api/v4/videos', [['files', PNG, 'film.mp4', 'video/mp4']]],
      [422, '/api/v4/files', [['accessType', 'public']]],
      [
        422,
        '/api/v4/files',
        [
          ['files', 'x', 'x'],
          ['accessType', 'everybody'],
        ],
      ],
      [
        415,
        '/api/v4/images',
        [
          ['files', PNG, 'a.png'],
          ['files', 'text', 'b.png'],
        ],
      ],
    ];
    for (const [status, path, parts, as = 'alice'] of cases) {
      const answer = await files.upload(path, parts, as);
      expect([answer.status, answer.body.status], `${path} ${JSON.stringify(answer.body)}`).toEqual([status, 'error']);
    }
    const json = await gateway.rest('/api/v4/files', { method: 'POST', body: {} });
    expect(json.status).toBe(422);
    expect([await files.kept(), await files.records()]).toEqual(before);
  });

  test('stores nothing of an upload that the client aborts', async () => {
    const before = [await files.kept(), await files.records()];
    const token = await gateway.tokenOf('alice');
    const { port } = new URL(gateway.url);
    const sending = httpRequest({
      port,
      method: 'POST',
      path: '/api/v4/files',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': 500_000,
      },
    });
    sending.on('error', () => undefined);
    sending.write('--x\r\ncontent-disposition: form-data; name="files"; filename="a.bin"\r\n\r\n');
    sending.write(Buffer.alloc(100_000));
    await expect.poll(files.kept).not.toEqual(before[0]);
    sending.destroy();
    await expect.poll(async () => [await files.kept(), await files.records()]).toEqual(before);
    expect((await gateway.rest('/api/v3/users')).status).toBe(200);
  });
});
