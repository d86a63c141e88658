import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

/** A server of pages on this machine; the test allows private addresses, except where it says otherwise. */
let site: http.Server;
let origin: string;
let gateway: TestGateway;
let guarded: TestGateway;

const PAGES: { readonly [path: string]: string } = {
  '/open-graph': `<html><head><title>Not this</title>
    <meta property="og:title" content="Tomatoes &amp; more"><meta content='How to grow them' property='og:description'>
    <meta property=og:image content=/red.png><meta property="og:video" content="https://video.example/v.mp4"></head>`,
  '/plain': '<title>\n Plain &#x1F345; page </title><meta name="description" content="Just text">',
  '/script': '<meta property="og:image" content="javascript:alert(1)"><title>Bad</title>',
  '/long': `<title>Long</title>${'<'.repeat(2_000_000)}`,
};

beforeAll(async () => {
  site = http.createServer(({ url = '' }, response) => {
    if (url === '/moved') return response.writeHead(302, { location: '/plain' }).end();
    if (url === '/loop') return response.writeHead(302, { location: '/loop' }).end();
    if (url === '/image') return response.writeHead(200, { 'content-type': 'image/png' }).end('x');
    const page = PAGES[url];
    return response.writeHead(page ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' }).end(page ?? 'No');
  });
  await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  gateway = await startTestGateway({ SAMPLE_DATA: 'none', WEBHOOK_ALLOW_PRIVATE: 'true' });
  guarded = await startTestGateway({ SAMPLE_DATA: 'none' });
});
afterAll(async () => {
  await gateway.close();
  await guarded.close();
  site.close();
});

const preview = (url: string, on = gateway) => on.rest(`/api/v1/link-preview?url=${encodeURIComponent(url)}`);

test('shows the Open Graph properties of a page, with absolute URLs', async () => {
  expect((await preview(`${origin}/open-graph`)).body).toEqual({
    title: 'Tomatoes & more',
    description: 'How to grow them',
    image: `${origin}/red.png`,
    imageUrl: `${origin}/red.png`,
    video: 'https://video.example/v.mp4',
    domain: '127.0.0.1',
  });
});

test.each(['/plain', '/moved'])('shows title and description of a page without them: %s', async (path) => {
  expect((await preview(origin + path)).body).toMatchObject({
    title: 'Plain 🍅 page',
    description: 'Just text',
    image: null,
  });
});

test('reads only the beginning of a page, and only media with a web address', async () => {
  expect((await preview(`${origin}/long`)).body.title).toBe('Long');
  expect((await preview(`${origin}/script`)).body).toMatchObject({ title: 'Bad', image: null });
});

test.each(['/missing', '/image', '/loop'])('shows only the host of what is no page: %s', async (path) => {
  expect(await preview(origin + path)).toMatchObject({ status: 200, body: { title: null, domain: '127.0.0.1' } });
});

test.each([
  'http://127.0.0.1/',
  'http://[::1]/',
  'http://2130706433/',
  'http://169.254.169.254/latest/meta-data',
  'http://localhost/',
  'ftp://example.com/',
  'https://user:password@example.com/',
  'not a url',
])('rejects what is no public address: %s', async (url) => {
  expect(await preview(url, guarded)).toMatchObject({ status: 422, body: { code: 500000 } });
});
