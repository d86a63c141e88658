import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { pageMetadata } from '../../src/domain/link-preview/page-metadata.ts';
import { readPage } from '../../src/domain/link-preview/page-reader.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

/** A server of pages on this machine; the test allows private addresses, except where it says otherwise. */
let site: http.Server;
let origin: string;
let gateway: TestGateway;
let guarded: TestGateway;
/** Paths that were requested from the site. */
const requested: string[] = [];

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
    requested.push(url);
    if (url === '/moved') return response.writeHead(302, { location: '/plain' }).end();
    if (url === '/inside') return response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
    if (url.startsWith('/silent')) return;
    if (url === '/slow') {
      response.writeHead(200, { 'content-type': 'text/html' });
      return void setTimeout(() => response.end('<title>Slow</title>'), 1_000);
    }
    if (url === '/drip') {
      response.writeHead(200, { 'content-type': 'text/html' });
      const drip = setInterval(() => response.write(' '), 100);
      return void response.on('close', () => clearInterval(drip));
    }
    if (url === '/endless') {
      response.writeHead(200, { 'content-type': 'text/html' }).write('<title>Endless</title>');
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', more);
      };
      return more();
    }
    if (url === '/compressed') {
      const bomb = gzipSync(Buffer.alloc(50_000_000));
      return response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(bomb);
    }
    if (url === '/broken')
      return response.socket!.end('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 9\r\n\r\n<');
    if (url === '/no-http') return response.socket!.end('220 mail.example ESMTP\r\n');
    if (url === '/loop') return response.writeHead(302, { location: '/loop' }).end();
    if (url.startsWith('/large')) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      return response.end(`<meta property="og:image" content="/${'日'.repeat(1_900)}">`);
    }
    if (url === '/image') return response.writeHead(200, { 'content-type': 'image/png' }).end('x');
    const page = PAGES[url];
    return response.writeHead(page ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' }).end(page ?? 'No');
  });
  await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  gateway = await startTestGateway({ SAMPLE_DATA: 'none', LINK_PREVIEW_ALLOW_PRIVATE: 'true' });
  // Administrators choose where webhooks are sent, every user what is previewed.
  guarded = await startTestGateway({ SAMPLE_DATA: 'none', WEBHOOK_ALLOW_PRIVATE: 'true' });
});
afterAll(async () => {
  await gateway.close();
  await guarded.close();
  site.close();
});

const preview = (url: string, { on = gateway, as = 'alice' }: { on?: TestGateway; as?: string } = {}) =>
  on.rest(`/api/v1/link-preview?url=${encodeURIComponent(url)}`, { as });

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

test.each(['/missing', '/image', '/loop', '/compressed', '/broken', '/no-http'])(
  'shows only the host of what is no page: %s',
  async (path) => {
    expect(await preview(origin + path)).toMatchObject({ status: 200, body: { title: null, domain: '127.0.0.1' } });
  },
);

test('one request cannot make the gateway read many pages', async () => {
  const previews = Array.from(
    { length: 30 },
    (_, index) => `p${index}: linkPreview(url: "${origin}/${index}") { title }`,
  );
  const { errors } = await gateway.graphql(`{ ${previews.join(' ')} }`);
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'TOO_LARGE' });
});

test('reads a page without end only up to its limit', async () => {
  expect((await preview(`${origin}/endless`)).body).toMatchObject({ title: 'Endless' });
});

test('does not wait for a page that answers slowly or not at all', async () => {
  const started = performance.now();
  const answers = await Promise.all(['/silent', '/drip'].map((path) => preview(origin + path)));
  for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { title: null } });
  expect(performance.now() - started).toBeLessThan(20_000);
}, 40_000);

/** Pages of 256 KiB that are hard to read for a parser which tries again from every position. */
const HOSTILE: Array<[name: string, html: string]> = [
  ['tags that never end', '<meta '.repeat(45_000)],
  ['tags in tags', `${'<meta '.repeat(40_000)}>`],
  ['titles that never end', `<title${' '.repeat(190)}`.repeat(1_300)],
  ['a title without end', `<title>${'a '.repeat(130_000)}`],
  ['long names', `<meta ${'a'.repeat(3_900)}>`.repeat(66)],
  ['names without a value', `<meta ${'a '.repeat(1_950)}>`.repeat(66)],
  ['quotes that never end', `<meta content="${"='".repeat(1_900)}>`.repeat(66)],
  ['spaces', `<meta a${' '.repeat(3_900)}>`.repeat(66)],
  ['entities', `<title>${'&#x'.repeat(1_300)}</title>`.repeat(60)],
];

const USUAL = '<meta property="og:type" content="A short text">'.repeat(5_500);

/** Milliseconds of the fastest of five readings. */
function readingMs(html: string): number {
  const times = Array.from({ length: 5 }, () => {
    const started = performance.now();
    pageMetadata(html, new URL('http://example.com/'));
    return performance.now() - started;
  });
  return Math.min(...times);
}

test.each(HOSTILE)('reads a page of %s in a time of the order of a usual page', (_, html) => {
  expect(readingMs(html)).toBeLessThan(3 * readingMs(USUAL));
});

test('reads a page once for all who request it at the same time', async () => {
  const before = requested.length;
  const previews = await Promise.all(
    ['alice', 'bob', 'alice', 'carol', 'alice'].map((as) => preview(`${origin}/slow`, { as })),
  );
  for (const { body } of previews) expect(body).toMatchObject({ title: 'Slow' });
  expect(requested.slice(before)).toEqual(['/slow']);
});

test('keeps fewer previews if they are large', async () => {
  const read = async (name: string) => {
    const before = requested.length;
    expect((await preview(`${origin}/${name}`)).body.image.length).toBeGreaterThan(17_000);
    return requested.slice(before);
  };
  expect([await read('large'), await read('large')]).toEqual([['/large'], []]);
  for (let count = 0; count < 100; count += 1) await read(`large?${count}`);
  expect(await read('large')).toEqual(['/large']);
});

test('keeps nothing of a page but its metadata', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const media = `<meta property="og:image" content="https://example.com/image.png"><meta property="og:video" content="https://example.com/video.mp4">`;
  const text = `<title>Title-without-spaces</title><meta name="description" content="Description-without-spaces">`;
  // Of UTF-16, because of one character.
  const bytes = Buffer.from(`${media}${text}日${' lorem ipsum'.repeat(20_000)}`);
  const before = used();
  const kept = Array.from({ length: 50 }, () => pageMetadata(bytes.toString(), new URL('http://example.com/')));
  expect(used() - before).toBeLessThan(2_000_000);
  expect(new Set(kept.map(({ title }) => title))).toEqual(new Set(['Title-without-spaces']));
});

test('reads pages for others while those of one user do not answer', async () => {
  const silent = Array.from({ length: 5 }, (_, index) => preview(`${origin}/silent?${index}`, { as: 'bob' }));
  const visits = Array.from({ length: 5 }, (_, index) =>
    preview(`${origin}/silent?visit${index}`, { as: `visitor#${index}` }),
  );
  await vi.waitUntil(() => requested.filter((url) => url.startsWith('/silent?')).length >= 8);
  const started = performance.now();
  expect((await preview(`${origin}/plain?other`, { as: 'carol' })).status).toBe(200);
  expect(performance.now() - started).toBeLessThan(4_000);
  expect(requested.filter((url) => url.startsWith('/silent?'))).toHaveLength(8);
  await Promise.all([...silent, ...visits]);
}, 40_000);

test('connects to the default ports only, where no private addresses are allowed', async () => {
  const resolve = async () => [{ address: '192.0.43.8', family: 4 }];
  for (const url of ['http://example.com:22/', 'https://example.com:8443/', 'http://example.com:443/'])
    await expect(readPage(url, { allowPrivate: false, resolve })).rejects.toThrow('ports');
});

test('refuses names and redirects that lead into a private network', async () => {
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
  const refused = 'not a public address';
  await expect(readPage('http://rebound.example/', { allowPrivate: false, resolve })).rejects.toThrow(refused);
  // The server of this test, which is on a private address itself, is allowed: the first check only.
  let checks = 0;
  const options = {
    get allowPrivate() {
      checks += 1;
      return checks === 1;
    },
    resolve,
  };
  await expect(readPage(`${origin}/inside`, options)).rejects.toThrow(refused);
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
])('rejects an address that is not public: %s', async (url) => {
  expect(await preview(url, { on: guarded })).toMatchObject({ status: 422, body: { code: 500000 } });
  const query = 'query ($url: String!) { linkPreview(url: $url) { domain } }';
  const { errors } = await guarded.graphql(query, { variables: { url } });
  expect(errors).toMatchObject([{ extensions: { code: 'INVALID_PARAMETERS' } }]);
});
