import { readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createStorage } from '../../src/files/create-storage.ts';
import { signIn, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { mutations, type Payload } from '../support/mutate.ts';
import { PNG } from '../support/png.ts';

let gateway: TestGateway;
const mutate = mutations(() => gateway);
beforeAll(async () => {
  gateway = await startTestGateway({ FILE_LIMIT_MB: '3' });
});
afterAll(() => gateway.close());

type Part = [name: string, content: string | Uint8Array, fileName?: string, type?: string];

async function upload(path: string, parts: Part[], as: string | null = 'alice') {
  const form = new FormData();
  for (const [name, content, fileName, type] of parts) {
    if (fileName === undefined) form.append(name, content as string);
    else form.append(name, new Blob([content as never], { type: type ?? 'text/html' }), fileName);
  }
  const headers = as === null ? undefined : { authorization: `Bearer ${await gateway.tokenOf(as)}` };
  const response = await fetch(`${gateway.url}${path}`, { method: 'POST', body: form, ...(headers && { headers }) });
  return { status: response.status, body: (await response.json()) as Payload };
}

const fetchFile = async (fileId: string, as: string | null = null) => {
  const headers = as === null ? undefined : { authorization: `Bearer ${await gateway.tokenOf(as)}` };
  return fetch(`${gateway.url}/files/${fileId}`, { ...(headers && { headers }) });
};

const kept = async () => (await readdir(join(gateway.services.config.DATA_DIR, 'files'))).sort();
const records = () => gateway.services.store.collections.files.countDocuments({ networkId: 'default' });

describe('an upload', () => {
  test('returns a bare array of records; types are determined from the bytes', async () => {
    const { status, body } = await upload('/api/v4/images', [
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
    const served = await fetchFile(fileId);
    expect(Buffer.from(await served.arrayBuffer()).equals(PNG)).toBe(true);
    expect(served.headers.get('content-type')).toBe('image/png');
    expect(served.headers.get('x-content-type-options')).toBe('nosniff');
    const read = await gateway.rest(`/api/v3/files/${fileId}`);
    expect(read.body).toMatchObject({ ...body[0], files: [body[0]] });
    const asAvatar = await mutate('alice', 'updateUser', { avatarFileId: fileId }, 'user { avatar { fileId } }');
    expect(asAvatar.user.avatar).toEqual({ fileId });
  });

  test('creates ids of 128 random bits that cannot be derived from other ids of the file', async () => {
    const { body } = await upload('/api/v4/images', [
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
    expect((await fetchFile(data.file.internalId)).status).toBe(404);
  });

  test('serves HTML and SVG as downloads only', async () => {
    for (const [content, name] of [
      ['<html><script>alert(1)</script></html>', 'page.html'],
      ['<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'drawing.svg'],
    ] as const) {
      const { body } = await upload('/api/v4/files', [['files', content, name, 'image/png']]);
      const served = await fetchFile(body[0].fileId);
      expect(served.headers.get('content-type')).toBe('application/octet-stream');
      expect(served.headers.get('content-disposition')).toBe(`attachment; filename*=UTF-8''${name}`);
      expect(served.headers.get('content-security-policy')).toContain('sandbox');
      const refused = await upload('/api/v4/images', [['files', content, name, 'image/png']]);
      expect([refused.status, refused.body.code]).toEqual([415, 400002]);
    }
  });

  test('accepts several files, a preferred name and network-only access', async () => {
    const { body } = await upload('/api/v4/files', [
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
    expect((await fetchFile(fileId)).status).toBe(404);
    const served = await fetchFile(fileId, 'erin');
    expect([served.status, await served.text()]).toEqual([200, 'one']);
    expect(served.headers.get('cache-control')).toBe('private, no-store');
  });

  test('rejects tokens that are forged, expired, of another audience or of a revoked session', async () => {
    const { body } = await upload('/api/v4/files', [
      ['files', 'for members', 'one.txt'],
      ['accessType', 'network'],
    ]);
    const read = (token: string) =>
      fetch(`${gateway.url}/files/${body[0].fileId}`, { headers: { authorization: `Bearer ${token}` } });
    const token = await signIn(gateway, 'grace');
    const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
    const forge = (change: object, key = gateway.keys.TOKEN_SECRET) =>
      new SignJWT({ ...claims, ...change }).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(key));
    for (const forged of [
      await forge({}, 'k'.repeat(64)),
      await forge({ aud: 'other' }),
      await forge({ exp: 1 }),
      await forge({ sub: 'admin' }),
      `${token}x`,
    ]) {
      const refused = await read(forged);
      expect([401, 404]).toContain(refused.status);
      expect(await refused.text()).not.toContain('for members');
    }
    expect((await read(await forge({}))).status).toBe(200);
    const ended = await fetch(`${gateway.url}/api/v4/sessions`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(ended.status).toBe(200);
    const refused = await read(token);
    expect([401, 404]).toContain(refused.status);
    expect(await refused.text()).not.toContain('for members');
  });

  test('deletion with a key removes record and bytes, also when repeated', async () => {
    const { body } = await upload('/api/v4/files', [['files', 'short', 'short.txt']]);
    const { fileId } = body[0];
    for (const _ of [1, 2]) {
      const input = { fileId, clientMutationId: `delete ${fileId}` };
      expect(await mutate('alice', 'deleteFile', input, 'file { fileId }')).toMatchObject({ file: { fileId } });
      expect((await fetchFile(fileId)).status).toBe(404);
      expect(await kept()).not.toContain(fileId);
    }
  });

  test('serves byte ranges', async () => {
    const { body } = await upload('/api/v4/files', [['files', '0123456789', 'digits.txt']]);
    const url = `${gateway.url}/files/${body[0].fileId}`;
    for (const [range, status, text, contentRange] of [
      ['bytes=0-0', 206, '0', 'bytes 0-0/10'],
      ['bytes=3-5', 206, '345', 'bytes 3-5/10'],
      ['bytes=7-', 206, '789', 'bytes 7-9/10'],
      ['bytes=-2', 206, '89', 'bytes 8-9/10'],
      ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
      ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
      ['bytes=10-', 416, '', 'bytes */10'],
      ['bytes=-0', 416, '', 'bytes */10'],
      ['bytes=5-3', 200, '0123456789', null],
      ['bytes=0-1,3-4', 200, '0123456789', null],
      ['bytes=-', 200, '0123456789', null],
      ['lines=0-1', 200, '0123456789', null],
    ] as const) {
      const served = await fetch(url, { headers: { range } });
      expect([served.status, await served.text(), served.headers.get('content-range')], range).toEqual([
        status,
        text,
        contentRange,
      ]);
    }
  });

  test('answers HEAD with the headers of GET, without reading the file', async () => {
    const { body } = await upload('/api/v4/files', [['files', '0123456789', 'digits.txt']]);
    const url = `${gateway.url}/files/${body[0].fileId}`;
    const headersOf = async (method: string, headers: Record<string, string>) => {
      const response = await fetch(url, { method, headers });
      await response.arrayBuffer();
      const ofConnection = ['connection', 'date', 'keep-alive'];
      return [response.status, [...response.headers].filter(([name]) => !ofConnection.includes(name))];
    };
    const requests = [{}, { range: 'bytes=3-5' }];
    const expected = await Promise.all(requests.map((headers) => headersOf('GET', headers)));
    const get = vi.spyOn(gateway.services.files, 'get');
    expect(await Promise.all(requests.map((headers) => headersOf('HEAD', headers)))).toEqual(expected);
    expect(expected).toMatchObject([
      [200, expect.arrayContaining([['content-length', '10']])],
      [206, expect.arrayContaining([['content-length', '3']])],
    ]);
    expect(get).not.toHaveBeenCalled();
    get.mockRestore();
    await mutate('alice', 'deleteFile', { fileId: body[0].fileId }, 'file { fileId }');
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(404);
  });

  test('accepts bodies larger than those of other routes', async () => {
    const { status, body } = await upload('/api/v4/files', [['files', new Uint8Array(3 * 1_048_576), 'big']]);
    expect([status, body[0].attributes.size]).toEqual([200, 3 * 1_048_576]);
    expect((await (await fetchFile(body[0].fileId)).arrayBuffer()).byteLength).toBe(3 * 1_048_576);
  });

  test('stores videos that are uploaded as clips as such, and posts show them', async () => {
    const mp4 = Buffer.concat([Buffer.from('0000001866747970', 'hex'), Buffer.from('isom\0\0\x02\0isommp41')]);
    expect((await upload('/api/v4/clips', [['files', PNG, 'film.mp4', 'video/mp4']])).status).toBe(415);
    const { status, body } = await upload('/api/v4/clips', [
      ['files', mp4, 'film.mp4', 'video/mp4'],
      ['feedType', 'clip'],
    ]);
    expect([status, body]).toMatchObject([200, [{ type: 'clip', attributes: { mimeType: 'video/mp4' } }]]);
    const { fileId } = body[0];
    const attachments = [{ type: 'clip', fileId, displayMode: 'fit', isMuted: true }];
    const post = { targetType: 'user', targetId: 'alice', data: { text: 'Look' }, attachments };
    const posted = (await gateway.rest('/api/v4/posts', { method: 'POST', body: post })).body;
    expect(posted.posts[0].structureType).toBe('clip');
    expect(posted.postChildren).toMatchObject([
      {
        dataType: 'clip',
        structureType: 'clip',
        data: { fileId, thumbnailFileId: null, displayMode: 'fit', isMuted: true },
      },
    ]);
    expect(posted.files).toContainEqual(expect.objectContaining({ fileId, type: 'clip' }));
    const wrong = [{ type: 'image', fileId }];
    const refused = await gateway.rest('/api/v4/posts', { method: 'POST', body: { ...post, attachments: wrong } });
    expect(refused.status).toBe(422);
  });

  test('an edit changes the options and the thumbnail of a clip, and keeps its child post', async () => {
    const mp4 = Buffer.concat([Buffer.from('0000001866747970', 'hex'), Buffer.from('isom\0\0\x02\0isommp41')]);
    const clip = (await upload('/api/v4/clips', [['files', mp4, 'film.mp4', 'video/mp4']])).body[0].fileId;
    const picture = (await upload('/api/v4/images', [['files', PNG, 'one.png', 'image/png']])).body[0].fileId;
    const attach = (options: object) => [{ type: 'clip', fileId: clip, ...options }];
    const post = { targetType: 'user', targetId: 'alice', attachments: attach({ displayMode: 'fit', isMuted: true }) };
    const created = (await gateway.rest('/api/v4/posts', { method: 'POST', body: post })).body;
    const [{ postId: childId }] = created.postChildren;
    const { postId } = created.posts[0];
    const edit = async (options: object) => {
      const body = { attachments: attach(options) };
      const edited = await gateway.rest(`/api/v4/posts/${postId}`, { method: 'PUT', body });
      expect(edited.body.postChildren).toMatchObject([{ postId: childId }]);
      return (await gateway.rest(`/api/v3/posts/${childId}`)).body.posts[0].data;
    };
    const shown = { fileId: clip, displayMode: 'fit', isMuted: true, thumbnailFileId: null };
    expect(await edit({})).toMatchObject(shown);
    expect(await edit({ isMuted: false })).toMatchObject({ ...shown, isMuted: false });
    expect(await edit({ thumbnailFileId: picture, displayMode: 'fill' })).toMatchObject({
      fileId: clip,
      displayMode: 'fill',
      isMuted: false,
      thumbnailFileId: picture,
    });
    expect(await edit({ thumbnailFileId: null })).toMatchObject({ thumbnailFileId: null });
  });

  test('changes the alternative text of a file over REST', async () => {
    const { body } = await upload('/api/v4/images', [['files', PNG, 'one.png', 'image/png']]);
    const path = `/api/v3/files/${body[0].fileId}`;
    const changed = await gateway.rest(path, { method: 'PUT', body: { altText: 'A red square' } });
    expect([changed.status, changed.body.altText]).toEqual([200, 'A red square']);
    expect((await gateway.rest(path)).body.altText).toBe('A red square');
    expect((await gateway.rest(path, { as: 'bob', method: 'PUT', body: { altText: 'Mine' } })).status).toBe(403);
  });

  test('stores nothing of a rejected upload', async () => {
    const before = [await kept(), await records()];
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
      const answer = await upload(path, parts, as);
      expect([answer.status, answer.body.status], `${path} ${JSON.stringify(answer.body)}`).toEqual([status, 'error']);
    }
    const json = await gateway.rest('/api/v4/files', { method: 'POST', body: {} });
    expect(json.status).toBe(422);
    expect([await kept(), await records()]).toEqual(before);
  });

  test('stores nothing of an upload that the client aborts', async () => {
    const before = [await kept(), await records()];
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
    await expect.poll(kept).not.toEqual(before[0]);
    sending.destroy();
    await expect.poll(async () => [await kept(), await records()]).toEqual(before);
    expect((await gateway.rest('/api/v3/users')).status).toBe(200);
  });
});

test('answers an upload that cannot be stored, and keeps serving', async () => {
  const { files } = gateway.services;
  const put = files.put;
  files.put = async (_, bytes) => {
    bytes.destroy();
    throw new Error('no space left');
  };
  const before = await records();
  const failed = await upload('/api/v4/files', [
    ['files', new Uint8Array(2 * 1_048_576), 'big'],
    ['files', new Uint8Array(2 * 1_048_576), 'another'],
  ]);
  files.put = put;
  expect([failed.status, failed.body]).toMatchObject([500, { status: 'error', code: 500000 }]);
  expect(await records()).toBe(before);
  expect((await upload('/api/v4/files', [['files', 'x', 'x.txt']])).status).toBe(200);
});

test('removes the partial files of a killed process after a day', async () => {
  const folder = join(gateway.services.config.DATA_DIR, 'files');
  const paths = ['old.part', 'new.part'].map((name) => join(folder, name));
  for (const path of paths) await writeFile(path, 'x');
  await utimes(paths[0]!, 1, 1);
  createStorage(gateway.services.config);
  const partial = async () => (await kept()).filter((name) => name.endsWith('.part'));
  await expect.poll(partial).toEqual(['new.part']);
  await rm(paths[1]!);
});

test('answers 503 for a file that cannot be opened', async () => {
  const { body } = await upload('/api/v4/files', [['files', 'x', 'x.txt']]);
  const { fileId } = body[0];
  const path = join(gateway.services.config.DATA_DIR, 'files', fileId);
  await rm(path);
  expect((await fetchFile(fileId)).status).toBe(404);
  await symlink(fileId, path);
  const failed = await fetchFile(fileId);
  expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, '2']);
  await rm(path);
});

describe('a file', () => {
  test('is described by its owner and absent after its deletion', async () => {
    const { body } = await upload('/api/v4/images', [['files', PNG, 'a.png']], 'bob');
    const { fileId } = body[0];
    const change = { fileId, altText: 'A dot', accessType: 'NETWORK' };
    expect((await mutate('carol', 'updateFile', change, 'file { altText }')).code).toBe('PERMISSION_DENIED');
    expect((await mutate('bob', 'updateFile', change, 'file { altText accessType }')).file).toEqual({
      altText: 'A dot',
      accessType: 'NETWORK',
    });
    expect((await gateway.rest(`/api/v3/files/${fileId}`, { as: 'carol', method: 'DELETE' })).status).toBe(403);
    expect((await gateway.rest(`/api/v3/files/${fileId}`, { as: 'bob', method: 'DELETE' })).status).toBe(200);
    expect((await gateway.rest(`/api/v3/files/${fileId}`, { as: 'bob' })).status).toBe(404);
    expect((await fetchFile(fileId, 'bob')).status).toBe(404);
    expect(await kept()).not.toContain(fileId);
    expect((await mutate('bob', 'updateUser', { avatarFileId: fileId }, 'user { userId }')).code).toBe('NOT_FOUND');
  });
});
