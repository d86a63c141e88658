import { SignJWT } from 'jose';
import { expect, test, vi } from 'vitest';
import { useFileRequests } from '../support/file-requests.ts';
import { signIn } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';

const setup = useFileRequests();
const mutate = mutations(() => setup.gateway);

test('serves HTML and SVG as downloads only', async () => {
  for (const [content, name] of [
    ['<html><script>alert(1)</script></html>', 'page.html'],
    ['<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'drawing.svg'],
  ] as const) {
    const { body } = await setup.files.upload('/api/v4/files', [['files', content, name, 'image/png']]);
    const served = await setup.files.fetchFile(body[0].fileId);
    expect(served.headers.get('content-type')).toBe('application/octet-stream');
    expect(served.headers.get('content-disposition')).toBe(`attachment; filename*=UTF-8''${name}`);
    expect(served.headers.get('content-security-policy')).toContain('sandbox');
    const refused = await setup.files.upload('/api/v4/images', [['files', content, name, 'image/png']]);
    expect([refused.status, refused.body.code]).toEqual([415, 400002]);
  }
});

test('rejects tokens that are forged, expired, of another audience or of a revoked session', async () => {
  const { body } = await setup.files.upload('/api/v4/files', [
    ['files', 'for members', 'one.txt'],
    ['accessType', 'network'],
  ]);
  const read = (token: string) =>
    fetch(`${setup.gateway.url}/files/${body[0].fileId}`, { headers: { authorization: `Bearer ${token}` } });
  const token = await signIn(setup.gateway, 'grace');
  const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
  const forge = (change: object, key = setup.gateway.keys.TOKEN_SECRET) =>
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
  const ended = await fetch(`${setup.gateway.url}/api/v4/sessions`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  });
  expect(ended.status).toBe(200);
  const refused = await read(token);
  expect([401, 404]).toContain(refused.status);
  expect(await refused.text()).not.toContain('for members');
});

test('serves byte ranges', async () => {
  const { body } = await setup.files.upload('/api/v4/files', [['files', '0123456789', 'digits.txt']]);
  const url = `${setup.gateway.url}/files/${body[0].fileId}`;
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
  const { body } = await setup.files.upload('/api/v4/files', [['files', '0123456789', 'digits.txt']]);
  const url = `${setup.gateway.url}/files/${body[0].fileId}`;
  const headersOf = async (method: string, headers: Record<string, string>) => {
    const response = await fetch(url, { method, headers });
    await response.arrayBuffer();
    const ofConnection = ['connection', 'date', 'keep-alive'];
    return [response.status, [...response.headers].filter(([name]) => !ofConnection.includes(name))];
  };
  const requests = [{}, { range: 'bytes=3-5' }];
  const expected = await Promise.all(requests.map((headers) => headersOf('GET', headers)));
  const get = vi.spyOn(setup.gateway.services.files, 'get');
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
