import { request as httpRequest } from 'node:http';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CookieJar, createCookieJar } from '../support/cookie-jar.ts';
import { openTestNetwork, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { multipartOf } from '../support/multipart.ts';
import { PNG } from '../support/png.ts';
import { rawSocket } from '../support/raw-socket.ts';

const LISTED = 'https://app.example';
const FOREIGN = 'https://evil.example';
const REFRESH = '/api/v5/sessions/refresh';
const JSON_TYPE = { 'content-type': 'application/json' };
const COOKIE_MODE = { 'x-session': 'cookie' };

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ SESSION_COOKIES: 'true', ACCESS_TOKEN_MINUTES: '5', CORS_ORIGINS: LISTED });
});
afterAll(() => gateway.close());

interface Call {
  to?: Pick<TestGateway, 'url'>;
  method?: string;
  /** Objects are sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

interface Received {
  status: number;
  headers: Headers;
  setCookies: string[];
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  body: any;
}

/** A request of a page, with the cookies of its browser. */
async function send(jar: CookieJar, path: string, { to = gateway, method, body, headers = {} }: Call = {}) {
  const cookie = jar.header(path);
  const isPlain = typeof body === 'string' || body instanceof FormData || body === undefined;
  const response = await fetch(`${to.url}${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { ...(cookie && { cookie }), ...(!isPlain && JSON_TYPE), ...headers },
    ...(body !== undefined && { body: isPlain ? (body as string) : JSON.stringify(body) }),
  });
  const text = await response.text();
  const received: Received = {
    status: response.status,
    headers: response.headers,
    setCookies: jar.receive(response.headers),
    body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
  };
  return received;
}

const ownPage = (to: Pick<TestGateway, 'url'> = gateway) => ({ origin: to.url });

async function signIn(jar: CookieJar, userId = 'bob', headers: Record<string, string> = {}, to = gateway) {
  return send(jar, '/api/v5/sessions', {
    to,
    body: { userId },
    headers: { 'x-api-key': to.keys.API_KEY, ...COOKIE_MODE, ...ownPage(to), ...headers },
  });
}

async function signedIn(userId = 'bob', to = gateway): Promise<CookieJar> {
  const jar = createCookieJar();
  expect((await signIn(jar, userId, {}, to)).status).toBe(200);
  return jar;
}

const VIEWER = '{ viewer { userId } }';
const viewerOf = async (jar: CookieJar, headers: Record<string, string> = ownPage(), to = gateway) => {
  const { body } = await send(jar, '/graphql', { to, body: { query: VIEWER }, headers });
  return body.data?.viewer?.userId ?? null;
};

/** Opens a stream of events, and ends it. @returns the status */
async function openStream(jar: CookieJar, headers: Record<string, string>): Promise<number> {
  const path = '/realtime/post.created';
  const response = await fetch(`${gateway.url}${path}`, {
    headers: { cookie: jar.header(path), accept: 'text/event-stream', ...headers },
  });
  await response.body?.cancel();
  return response.status;
}

const rename = (displayName: string) => ({
  query: 'mutation ($input: UpdateUserInput!) { updateUser(input: $input) { __typename } }',
  variables: { input: { userId: 'bob', displayName } },
});
const nameOfBob = async () => {
  const user = await gateway.services.store.collections.users.findOne({ networkId: 'default', userId: 'bob' });
  return user!.displayName;
};
const sessionOf = (jar: CookieJar) =>
  gateway.services.store.collections.sessions.findOne({
    networkId: 'default',
    sessionId: decodeJwt(jar.get('colloquy_session')!).jti!,
  });

describe('without SESSION_COOKIES', () => {
  test('a request for cookies is refused, and cookies are ignored', async () => {
    const plain = await openTestNetwork();
    const jar = createCookieJar();
    const refused = await signIn(jar, 'bob', {}, plain);
    expect([refused.status, refused.setCookies]).toEqual([400, []]);
    jar.set('colloquy_session', await plain.tokenOf('bob'));
    expect(await viewerOf(jar, ownPage(plain), plain)).toBeNull();
    expect((await send(jar, '/api/v3/channels', { to: plain })).status).toBe(401);
  });
});

describe('openapi.json', () => {
  test('has the cookie as an alternative to an access token only with SESSION_COOKIES', async () => {
    const plain = await openTestNetwork();
    for (const path of ['/openapi.json', '/docs/json']) {
      const without = (await send(createCookieJar(), path, { to: plain })).body;
      expect(JSON.stringify(without).includes('sessionCookie')).toBe(false);
      const jar = await signedIn();
      const { paths, components } = (await send(jar, path)).body;
      const { type, in: place, name } = components.securitySchemes.sessionCookie;
      expect({ type, place }).toEqual({ type: 'apiKey', place: 'cookie' });
      expect(jar.header('/')).toContain(`${name}=`);
      const withToken = [{ bearer: [] }, { sessionCookie: [] }];
      expect(paths['/api/v3/sessions'].get.security).toEqual(withToken);
      expect(paths['/realtime/post.created'].get.security).toEqual(withToken);
      expect(paths['/api/v5/sessions'].post.security).toEqual(without.paths['/api/v5/sessions'].post.security);
      expect(paths['/webhook/category.didCreate'].get.security).toEqual([{ serverKey: [] }, { bearer: [] }]);
    }
  });
});

describe('a sign-in', () => {
  test('over REST stores both tokens in cookies that scripts cannot read, and returns none', async () => {
    const { status, body, setCookies } = await signIn(createCookieJar());
    expect(status).toBe(200);
    expect(body).toMatchObject({ accessToken: '', refreshToken: '', users: [{ userId: 'bob' }] });
    expect(Date.parse(body.expiresAt) - Date.now()).toBeLessThanOrEqual(5 * 60_000);
    const access = setCookies.find((line) => line.startsWith('colloquy_session='))!;
    const refresh = setCookies.find((line) => line.startsWith('colloquy_refresh='))!;
    expect(setCookies).toHaveLength(2);
    expect(access).toMatch(/; Path=\/;/);
    expect(refresh).toMatch(/; Path=\/api\/v5\/sessions\/refresh;/);
    for (const line of setCookies) {
      expect(line).toMatch(/; HttpOnly/);
      expect(line).toMatch(/; SameSite=Strict/);
      expect(line).not.toMatch(/Domain/i);
      expect(Number(/Max-Age=(\d+)/.exec(line)![1])).toBeGreaterThan(29 * 86_400);
    }
  });

  test('over GraphQL does the same', async () => {
    const jar = createCookieJar();
    const { body, setCookies } = await send(jar, '/graphql', {
      body: {
        query: `mutation { createSession(input: { userId: "bob" }) {
          ... on CreateSessionPayload { session { accessToken refreshToken } } } }`,
      },
      headers: { 'x-api-key': gateway.keys.API_KEY, ...COOKIE_MODE, ...ownPage() },
    });
    expect(body.data.createSession.session).toEqual({ accessToken: '', refreshToken: '' });
    expect(setCookies).toHaveLength(2);
    expect(await viewerOf(jar)).toBe('bob');
  });

  test('without the header returns tokens and sets no cookie, for existing clients', async () => {
    const jar = await signedIn('carol');
    const { body, setCookies } = await signIn(jar, 'bob', { 'x-session': '' });
    expect(body.accessToken).not.toBe('');
    expect(setCookies).toEqual([]);
  });

  test('over TLS uses Secure cookies of this host only, and ignores others', async () => {
    const https = await startTestGateway({ SESSION_COOKIES: 'true', PUBLIC_URL: 'https://api.example' });
    try {
      const page = { origin: 'https://api.example' };
      const jar = createCookieJar();
      const { setCookies } = await signIn(jar, 'bob', page, https);
      const access = setCookies.find((line) => line.startsWith('__Host-colloquy_session='))!;
      expect(access).toMatch(/; Secure/);
      expect(access).toMatch(/; Path=\/;/);
      const { components } = (await send(jar, '/openapi.json', { to: https })).body;
      expect(components.securitySchemes.sessionCookie.name).toBe('__Host-colloquy_session');
      expect(await viewerOf(jar, page, https)).toBe('bob');
      const tossed = createCookieJar();
      tossed.set('colloquy_session', jar.get('__Host-colloquy_session')!);
      expect(await viewerOf(tossed, page, https)).toBeNull();
      // A page of the same host that came without TLS.
      const insecure = { origin: `http://${new URL(https.url).host}` };
      expect((await send(jar, '/graphql', { to: https, body: { query: VIEWER }, headers: insecure })).status).toBe(403);
    } finally {
      await https.close();
    }
  });

  test('over plain HTTP is refused, except on localhost', async () => {
    const { status, text } = await postAs('gateway.example', '/api/v5/sessions', { userId: 'bob' });
    expect(status).toBe(400);
    expect(text).toContain('https');
  });
});

/** Sends a request for cookies with another `Host`, which fetch does not. */
function postAs(host: string, path: string, body: object): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { host, ...JSON_TYPE, ...COOKIE_MODE, origin: `http://${host}`, 'x-api-key': gateway.keys.API_KEY };
    const sent = httpRequest(`${gateway.url}${path}`, { method: 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode!, text }));
    });
    sent.once('error', reject).end(JSON.stringify(body));
  });
}

describe('requests with the cookie', () => {
  test('authenticate over GraphQL, REST, streams, polls and downloads', async () => {
    const jar = await signedIn();
    expect(await viewerOf(jar)).toBe('bob');
    expect(await viewerOf(jar, { origin: LISTED })).toBe('bob');
    expect(await viewerOf(jar, { 'sec-fetch-site': 'same-origin' })).toBe('bob');
    const byGet = await send(jar, `/graphql?query=${encodeURIComponent(VIEWER)}`);
    expect(byGet.body.data.viewer.userId).toBe('bob');
    expect((await send(jar, '/api/v3/channels', { headers: { 'sec-fetch-site': 'same-origin' } })).status).toBe(200);
    expect((await send(jar, '/realtime/post.created')).status).toBeLessThan(300);
    expect(await openStream(jar, ownPage())).toBe(200);
    expect(await openStream(jar, { origin: FOREIGN })).toBe(403);
    const form = new FormData();
    form.append('files', new Blob([PNG as never], { type: 'image/png' }), 'a.png');
    form.append('accessType', 'network');
    const upload = await send(jar, '/api/v4/images', { body: form, headers: { ...COOKIE_MODE, ...ownPage() } });
    expect(upload.status).toBe(200);
    const path = `/files/${upload.body[0].fileId}`;
    expect((await send(jar, path)).status).toBe(200);
    expect((await send(createCookieJar(), path)).status).toBe(404);
  });

  test('are answered with headers that keep shared caches from storing them', async () => {
    const jar = await signedIn();
    for (const path of ['/api/v3/channels', `/graphql?query=${encodeURIComponent(VIEWER)}`]) {
      for (const cookies of [jar, createCookieJar()]) {
        const { headers } = await send(cookies, path, { headers: { origin: LISTED } });
        expect(headers.get('cache-control')).toBe('private, no-store');
        expect(headers.get('vary')?.toLowerCase()).toContain('cookie');
        expect(headers.get('vary')?.toLowerCase()).toContain('origin');
      }
    }
  });

  test('yield to the Authorization header', async () => {
    const jar = await signedIn();
    const authorization = `Bearer ${await gateway.tokenOf('alice')}`;
    expect(await viewerOf(jar, { authorization })).toBe('alice');
    expect(await viewerOf(jar, { authorization, origin: FOREIGN })).toBe('alice');
    expect((await send(jar, '/api/v3/channels', { headers: { authorization: 'Bearer x' } })).status).toBe(401);
  });

  test('of an ended session are those of nobody, so that the browser can sign in again', async () => {
    const jar = await signedIn('dave');
    const { sessions } = gateway.services.store.collections;
    await sessions.updateOne({ _id: (await sessionOf(jar))!._id }, { $set: { revokedAt: new Date() } });
    expect((await send(jar, '/api/v3/channels')).status).toBe(401);
    expect((await signIn(jar, 'dave')).status).toBe(200);
    expect(await viewerOf(jar)).toBe('dave');
  });
});

describe('a refresh', () => {
  const refresh = (jar: CookieJar, headers: Record<string, string> = ownPage()) =>
    send(jar, REFRESH, { body: {}, headers: { ...COOKIE_MODE, ...headers } });

  test('replaces both cookies and returns no token', async () => {
    const jar = await signedIn();
    const before = [jar.get('colloquy_session'), jar.get('colloquy_refresh')];
    const { status, body, setCookies } = await refresh(jar);
    expect(status).toBe(200);
    expect(body).toMatchObject({ accessToken: '', refreshToken: '' });
    expect(setCookies).toHaveLength(2);
    expect(jar.get('colloquy_refresh')).not.toBe(before[1]);
    expect(await viewerOf(jar)).toBe('bob');
    expect(await sessionOf(jar)).toMatchObject({ refreshGeneration: 1 });
  });

  test('of a page of another origin is refused, and does not count', async () => {
    const jar = await signedIn();
    expect((await refresh(jar, { origin: FOREIGN })).status).toBe(403);
    expect(await sessionOf(jar)).toMatchObject({ refreshGeneration: 0 });
  });

  test('with a copied cookie ends the session, and removes the cookies', async () => {
    const jar = await signedIn('erin');
    const copied = createCookieJar();
    copied.set('colloquy_session', jar.get('colloquy_session')!);
    copied.set('colloquy_refresh', jar.get('colloquy_refresh')!, REFRESH);
    await refresh(jar);
    await refresh(jar);
    expect((await refresh(copied)).status).toBe(401);
    expect([copied.get('colloquy_session'), copied.get('colloquy_refresh')]).toEqual([undefined, undefined]);
    expect(await viewerOf(jar)).toBeNull();
    expect((await refresh(jar)).status).toBe(401);
  });

  test('with a cookie of another session, which another subdomain may have set, is refused', async () => {
    const jar = await signedIn();
    const other = await signedIn('carol');
    jar.set('colloquy_refresh', other.get('colloquy_refresh')!, REFRESH);
    expect((await refresh(jar)).status).toBe(401);
    const without = createCookieJar();
    without.set('colloquy_refresh', other.get('colloquy_refresh')!, REFRESH);
    expect((await refresh(without)).status).toBe(401);
    expect(await sessionOf(other)).toMatchObject({ refreshGeneration: 0, revokedAt: null });
  });
});

test('a sign-out ends the session and removes the cookies, over REST and GraphQL', async () => {
  const query = 'mutation { revokeSession(input: {}) { __typename } }';
  const all = 'mutation { revokeSessions(input: { userId: "frank" }) { __typename } }';
  const calls: Array<[path: string, call: Call]> = [
    ['/api/v4/sessions', { method: 'DELETE' }],
    ['/graphql', { body: { query } }],
    ['/graphql', { body: { query: all } }],
  ];
  for (const [path, call] of calls) {
    const jar = await signedIn('frank');
    const stored = await sessionOf(jar);
    const { status } = await send(jar, path, { ...call, headers: ownPage() });
    expect([path, status]).toEqual([path, 200]);
    expect([jar.get('colloquy_session'), jar.get('colloquy_refresh')]).toEqual([undefined, undefined]);
    const { sessions } = gateway.services.store.collections;
    expect((await sessions.findOne({ _id: stored!._id }))!.revokedAt).not.toBeNull();
  }
});

describe('a request that another site causes', () => {
  const SOURCES: Array<Record<string, string>> = [
    { origin: FOREIGN },
    { origin: 'null' },
    { origin: 'https://evil.app.example' },
    { origin: 'http://app.example' },
    { origin: `${LISTED}.evil.example` },
    { origin: FOREIGN, 'sec-fetch-site': 'cross-site' },
    { origin: FOREIGN, 'sec-fetch-site': 'same-site' },
    { referer: `${FOREIGN}/page` },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    {},
  ];

  test('changes nothing with the cookie, whatever page sends it', async () => {
    const jar = await signedIn();
    const before = await nameOfBob();
    const edit = { method: 'PUT', body: { userId: 'bob', displayName: 'edited' } };
    for (const headers of SOURCES) {
      for (const extra of [{}, COOKIE_MODE]) {
        const sent = await send(jar, '/graphql', { body: rename('forged'), headers: { ...headers, ...extra } });
        expect([headers, sent.status]).toEqual([headers, 403]);
        const put = await send(jar, '/api/v3/users', { ...edit, headers: { ...headers, ...extra } });
        expect([headers, put.status]).toEqual([headers, 403]);
      }
    }
    expect(await nameOfBob()).toBe(before);
    expect((await send(jar, '/graphql', { body: rename('renamed'), headers: ownPage() })).status).toBe(200);
    expect(await nameOfBob()).toBe('renamed');
    expect((await send(jar, '/api/v3/users', { ...edit, headers: ownPage() })).status).toBe(200);
    expect(await nameOfBob()).toBe('edited');
  });

  test('reads nothing with the cookie, and gets no permission to read answers', async () => {
    const jar = await signedIn();
    for (const headers of SOURCES.filter((one) => Object.keys(one).length > 0)) {
      for (const path of [`/graphql?query=${encodeURIComponent(VIEWER)}&callback=x`, '/api/v3/channels']) {
        const { status, headers: answered, body } = await send(jar, path, { headers });
        expect([headers, path, status]).toEqual([headers, path, 403]);
        expect(JSON.stringify(body)).not.toContain('bob');
        expect(answered.get('access-control-allow-credentials')).toBeNull();
        expect(answered.get('access-control-allow-origin')).toBeNull();
      }
    }
  });

  test('changes nothing in a form that needs no preflight, even from a page of this origin', async () => {
    const jar = await signedIn();
    const before = await nameOfBob();
    const text = JSON.stringify(rename('forged'));
    const { query, variables } = rename('forged');
    const form = new URLSearchParams({ query, variables: JSON.stringify(variables) }).toString();
    const types = [
      'text/plain',
      'text/plain; application/json',
      'application/x-www-form-urlencoded',
      'application/graphql',
    ];
    for (const type of types) {
      for (const body of [text, form, query]) {
        const sent = await send(jar, '/graphql', { body, headers: { 'content-type': type, ...ownPage() } });
        expect([type, sent.body.data?.updateUser]).toEqual([type, undefined]);
      }
    }
    const upload = new FormData();
    upload.append('files', new Blob([PNG as never], { type: 'image/png' }), 'a.png');
    expect((await send(jar, '/api/v4/images', { body: upload, headers: ownPage() })).status).toBe(403);
    expect((await send(jar, '/graphql', { body: multipartOf(query, variables), headers: ownPage() })).status).toBe(400);
    const search = new URLSearchParams({ query, variables: JSON.stringify(variables) });
    expect((await send(jar, `/graphql?${search}`, { headers: ownPage() })).status).toBe(405);
    expect(await nameOfBob()).toBe(before);
  });

  test('cannot sign the browser in as somebody else', async () => {
    const jar = createCookieJar();
    const attempt = (headers: Record<string, string>) =>
      send(jar, '/api/v5/sessions', {
        body: { userId: 'bob' },
        headers: { 'x-api-key': gateway.keys.API_KEY, ...COOKIE_MODE, ...headers },
      });
    for (const headers of SOURCES) {
      const { status, body, setCookies } = await attempt(headers);
      expect([headers, status, setCookies]).toEqual([headers, 403, []]);
      expect(body.code).toBe(400301);
    }
    expect((await attempt(ownPage())).status).toBe(200);
  });
});

describe('CORS', () => {
  const preflight = async (to: TestGateway, origin: string) => {
    const { headers } = await fetch(`${to.url}/graphql`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-session',
      },
    });
    return [headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')];
  };

  test('allows cookies to listed origins only', async () => {
    expect(await preflight(gateway, LISTED)).toEqual([LISTED, 'true']);
    expect(await preflight(gateway, FOREIGN)).toEqual([null, null]);
  });

  test('with a wildcard allows cookies to no other origin', async () => {
    const open = await startTestGateway({ SESSION_COOKIES: 'true', CORS_ORIGINS: '*' });
    try {
      expect(await preflight(open, FOREIGN)).toEqual(['*', null]);
      const jar = await signedIn('bob', open);
      expect(await viewerOf(jar, ownPage(open), open)).toBe('bob');
      expect(await viewerOf(jar, { origin: FOREIGN }, open)).toBeNull();
      const cookie = jar.header('/graphql');
      const socket = await rawSocket(open.url, { headers: { cookie, origin: FOREIGN } });
      socket.send({ type: 'connection_init' });
      expect((await socket.closed).code).toBe(4401);
    } finally {
      await open.close();
    }
  });
});

describe('a WebSocket', () => {
  test('authenticates by the cookie for pages of this and of listed origins', async () => {
    const cookie = (await signedIn()).header('/graphql');
    for (const origin of [gateway.url, LISTED]) {
      const socket = await rawSocket(gateway.url, { headers: { cookie, origin } });
      socket.send({ type: 'connection_init' });
      await socket.message(({ type }) => type === 'connection_ack');
      socket.send({ id: '1', type: 'subscribe', payload: { query: VIEWER } });
      const { payload } = await socket.message(({ type }) => type === 'next');
      expect(payload.data.viewer.userId).toBe('bob');
      socket.close();
    }
  });

  test('does not authenticate by the cookie without an Origin, and is refused to other origins', async () => {
    const cookie = (await signedIn()).header('/graphql');
    await expect(rawSocket(gateway.url, { headers: { cookie, origin: FOREIGN } })).rejects.toThrow('403');
    const socket = await rawSocket(gateway.url, { headers: { cookie } });
    socket.send({ type: 'connection_init' });
    expect((await socket.closed).code).toBe(4401);
  });
});
