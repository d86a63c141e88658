import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { type CookieJar, createCookieJar } from '../support/cookie-jar.ts';
import { freePort } from '../support/free-port.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';
import { CLIENT, startOidcProvider, type TestProvider } from '../support/oidc-provider.ts';

const PAGE = 'https://app.example/welcome?tab=1';
const LISTED = 'https://app.example';

let provider: TestProvider;
/** Returns a code, and derives ids. */
let gateway: TestGateway;
/** Sets cookies, and takes ids from a claim. */
let claiming: TestGateway;
/** As {@link claiming}, and takes over existing users. */
let linking: TestGateway;
const ports: number[] = [];

const callbackAt = (port: number) => `http://127.0.0.1:${port}/auth/oidc/callback`;

function startClient(port: number, env: Record<string, string> = {}): Promise<TestGateway> {
  return startTestGateway({
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    CORS_ORIGINS: LISTED,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    ...env,
  });
}

beforeAll(async () => {
  for (let index = 0; index < 4; index += 1) ports.push(await freePort());
  provider = await startOidcProvider(ports.map(callbackAt));
  gateway = await startClient(ports[0]!);
  const claim = { OIDC_USER_ID_CLAIM: 'preferred_username' };
  claiming = await startClient(ports[1]!, { ...claim, SESSION_COOKIES: 'true', ACCESS_TOKEN_MINUTES: '5' });
  linking = await startClient(ports[2]!, { ...claim, OIDC_LINK_USERS: 'true' });
});
afterAll(async () => {
  for (const one of [gateway, claiming, linking]) await one?.close();
  await provider?.close();
});
beforeEach(() => {
  provider.tampered = {};
  provider.forgesSignatures = false;
});

/** A browser, with the cookies of each origin. */
interface Browser {
  jarOf(url: string): CookieJar;
  /** One request, without following a redirect. */
  get(url: string): Promise<{ status: number; location: string | null; text: string; headers: Headers }>;
  /** Follows redirects until an address matches. @returns the address, or the last answer without a redirect */
  follow(url: string, until: (url: string) => boolean): Promise<{ url: string; status: number; text: string }>;
}

function openBrowser(): Browser {
  const jars = new Map<string, CookieJar>();
  const browser: Browser = {
    jarOf(url) {
      const { origin } = new URL(url);
      const jar = jars.get(origin) ?? createCookieJar();
      jars.set(origin, jar);
      return jar;
    },
    async get(url) {
      const jar = browser.jarOf(url);
      const cookie = jar.header(new URL(url).pathname);
      const response = await fetch(url, { redirect: 'manual', headers: { ...(cookie && { cookie }) } });
      jar.receive(response.headers);
      const location = response.headers.get('location');
      const text = await response.text();
      return {
        status: response.status,
        location: location && new URL(location, url).href,
        text,
        headers: response.headers,
      };
    },
    async follow(url, until) {
      let address = url;
      for (let steps = 0; steps < 10; steps += 1) {
        if (until(address)) return { url: address, status: 0, text: '' };
        const { status, location, text } = await browser.get(address);
        if (location === null) return { url: address, status, text };
        address = location;
      }
      throw new Error(`Too many redirects: ${address}`);
    },
  };
  return browser;
}

const startOf = (at: TestGateway, returnTo: string = PAGE) =>
  `${at.url}/auth/oidc/start?${new URLSearchParams({ returnTo })}`;

/** Signs a person in at the provider. @returns the address to which the browser returned, or the error page */
async function signIn(
  sub: string | null,
  claims: Record<string, unknown> = {},
  at: TestGateway = gateway,
  browser = openBrowser(),
) {
  provider.person = sub;
  if (sub !== null) provider.people.set(sub, claims);
  return browser.follow(startOf(at), (url) => url.startsWith(LISTED));
}

/** Begins a sign-in. @returns the address of the callback, which the browser has not requested yet */
async function untilCallback(sub: string, browser: Browser, claims: Record<string, unknown> = {}): Promise<string> {
  provider.person = sub;
  provider.people.set(sub, claims);
  return (await browser.follow(startOf(gateway), (url) => url.startsWith(callbackAt(ports[0]!)))).url;
}

const codeOf = (url: string) => new URLSearchParams(new URL(url).hash.slice(1)).get('login_code')!;
const errorCodeOf = (page: string) => /name="error-code" content="(\w+)"/.exec(page)?.[1];

interface Exchanged {
  session?: { accessToken: string; refreshToken: string; user: { userId: string; displayName: string } };
  code?: string;
}
async function exchange(code: string, at: TestGateway = gateway): Promise<Exchanged> {
  const { data } = await at.graphql<{ exchanged: Exchanged }>(
    `mutation ($code: String!) { exchanged: exchangeLoginCode(input: { code: $code }) {
      ... on ExchangeLoginCodePayload { session { accessToken refreshToken user { userId displayName } } }
      ... on OperationError { code } } }`,
    { as: null, variables: { code } },
  );
  return data.exchanged;
}

const users = (at: TestGateway) => at.services.store.collections.users;
const countUsers = (at: TestGateway) => users(at).countDocuments({ networkId: 'default' });
const countSessions = (at: TestGateway) =>
  at.services.store.collections.sessions.countDocuments({ networkId: 'default' });

describe('a sign-in at the provider', () => {
  test('creates a user with the claims and returns a code, which a client exchanges for tokens', async () => {
    const picture = 'https://images.example/nina.png';
    const { url } = await signIn('nina', { name: 'Nina', picture });
    expect(url).toMatch(/^https:\/\/app\.example\/welcome\?tab=1#login_code=/);
    const { session } = await exchange(codeOf(url));
    expect(session!.user).toEqual({ userId: expect.stringMatching(/^oidc-[0-9a-f]{40}$/), displayName: 'Nina' });
    const { userId } = session!.user;
    expect(await users(gateway).findOne({ networkId: 'default', userId })).toMatchObject({ avatarCustomUrl: picture });
    const headers = { authorization: `Bearer ${session!.accessToken}` };
    const check = await gateway.rest('/api/v3/sessions', { as: null, headers });
    expect(check.status).toBe(200);
    const days = (decodeJwt(session!.accessToken).exp! * 1_000 - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29);
  });

  test('finds the same user again, and updates their name', async () => {
    const first = await exchange(codeOf((await signIn('otto', { name: 'Otto' })).url));
    const second = await exchange(codeOf((await signIn('otto', { name: 'Otto the Second' })).url));
    expect(second.session!.user.userId).toBe(first.session!.user.userId);
    const { userId } = first.session!.user;
    const stored = await users(gateway).findOne({ networkId: 'default', userId });
    expect(stored).toMatchObject({ displayName: 'Otto the Second' });
  });

  test('with SESSION_COOKIES sets cookies, and returns without a code', async () => {
    const browser = openBrowser();
    const { url } = await signIn('p1', { preferred_username: 'paula', name: 'Paula' }, claiming, browser);
    expect(url).toBe(PAGE);
    const jar = browser.jarOf(claiming.url);
    expect(jar.get('colloquy_refresh')).toBeDefined();
    const response = await fetch(`${claiming.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: LISTED, cookie: jar.header('/graphql') },
      body: JSON.stringify({ query: '{ viewer { userId displayName } }' }),
    });
    expect(await response.json()).toEqual({ data: { viewer: { userId: 'paula', displayName: 'Paula' } } });
    expect(jar.get('colloquy_oidc')).toBeUndefined();
  });

  test('returns to an address of the gateway by default', async () => {
    provider.person = 'nina';
    const home = `${gateway.url}/`;
    const { url } = await openBrowser().follow(`${gateway.url}/auth/oidc/start`, (one) => one.startsWith(`${home}#`));
    expect(codeOf(url)).toBeTruthy();
  });
});

describe('a login code', () => {
  test('is exchanged once, also by concurrent calls', async () => {
    const code = codeOf((await signIn('quinn')).url);
    const answers = await Promise.all(Array.from({ length: 10 }, () => exchange(code)));
    expect(answers.filter(({ session }) => session)).toHaveLength(1);
    expect(answers.filter(({ code: error }) => error === 'UNAUTHORIZED')).toHaveLength(9);
  });

  test('is refused when it was altered or has expired', async () => {
    const code = codeOf((await signIn('quinn')).url);
    for (const wrong of [`${code}x`, code.replace(/.{5}$/, 'AAAAA'), 'a', 'a.b.c', '..']) {
      expect([wrong, await exchange(wrong)]).toEqual([wrong, { code: 'UNAUTHORIZED' }]);
    }
    const { sessions } = gateway.services.store.collections;
    const past = new Date(Date.now() - 1);
    await sessions.updateOne({ networkId: 'default', sessionId: code.split('.')[1]! }, { $set: { expiresAt: past } });
    expect(await exchange(code)).toEqual({ code: 'UNAUTHORIZED' });
  });

  test('is refused after a ban', async () => {
    const known = await exchange(codeOf((await signIn('rita')).url));
    const code = codeOf((await signIn('rita')).url);
    await mutations(gateway)('admin', 'banUser', { userId: known.session!.user.userId }, '__typename');
    expect(await exchange(code)).toEqual({ code: 'UNAUTHORIZED' });
    const before = await countSessions(gateway);
    const refused = await signIn('rita');
    expect([refused.status, errorCodeOf(refused.text)]).toEqual([403, 'GLOBALLY_BANNED']);
    expect(await countSessions(gateway)).toBe(before);
  });
});

describe('a forged or repeated answer of the provider', () => {
  const refusedPage = async (browser: Browser, url: string) => {
    const before = [await countUsers(gateway), await countSessions(gateway)];
    const { status, text, location } = await browser.get(url);
    expect([await countUsers(gateway), await countSessions(gateway)]).toEqual(before);
    expect(location).toBeNull();
    return [status, errorCodeOf(text)];
  };

  test('is refused with another state, or without one', async () => {
    for (const state of ['other', null]) {
      const browser = openBrowser();
      const url = new URL(await untilCallback('sam', browser));
      if (state === null) url.searchParams.delete('state');
      else url.searchParams.set('state', state);
      expect(await refusedPage(browser, url.href)).toEqual([400, 'SIGN_IN_INVALID']);
    }
  });

  test('is refused in another browser, in which the sign-in did not begin', async () => {
    const url = await untilCallback('sam', openBrowser());
    expect(await refusedPage(openBrowser(), url)).toEqual([400, 'BAD_REQUEST']);
    const other = openBrowser();
    await untilCallback('tina', other);
    expect(await refusedPage(other, url)).toEqual([400, 'SIGN_IN_INVALID']);
  });

  test('is refused the second time, even with the cookie of the sign-in', async () => {
    const browser = openBrowser();
    const url = await untilCallback('uma', browser);
    const cookie = browser.jarOf(gateway.url).get('colloquy_oidc')!;
    expect((await browser.get(url)).status).toBe(303);
    expect(await refusedPage(browser, url)).toEqual([400, 'BAD_REQUEST']);
    browser.jarOf(gateway.url).set('colloquy_oidc', cookie);
    expect(await refusedPage(browser, url)).toEqual([403, 'PROVIDER_DENIED']);
  });

  test('is refused with an altered cookie, and after ten minutes', async () => {
    const browser = openBrowser();
    const url = await untilCallback('vera', browser);
    const jar = browser.jarOf(gateway.url);
    const cookie = jar.get('colloquy_oidc')!;
    jar.set('colloquy_oidc', `${cookie.slice(0, -3)}AAA`);
    expect(await refusedPage(browser, url)).toEqual([400, 'BAD_REQUEST']);
    jar.set('colloquy_oidc', cookie);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 });
    try {
      const { status, text } = await browser.get(url);
      expect([status, errorCodeOf(text)]).toEqual([400, 'BAD_REQUEST']);
    } finally {
      vi.useRealTimers();
    }
  });

  test('is refused with an ID token of another nonce, issuer, audience or time', async () => {
    const past = Math.floor(Date.now() / 1_000) - 3_600;
    const forgeries = [{ nonce: 'other' }, { iss: 'https://evil.example' }, { aud: 'other-client' }, { exp: past }];
    for (const tampered of forgeries) {
      const browser = openBrowser();
      const url = await untilCallback('wim', browser);
      provider.tampered = tampered;
      expect([tampered, await refusedPage(browser, url)]).toEqual([tampered, [400, 'SIGN_IN_INVALID']]);
    }
  });

  test('is refused with an ID token that another key signed', async () => {
    const browser = openBrowser();
    const url = await untilCallback('xena', browser);
    provider.forgesSignatures = true;
    expect(await refusedPage(browser, url)).toEqual([400, 'SIGN_IN_INVALID']);
  });

  test('names a person who refused to sign in', async () => {
    const { status, text } = await signIn(null);
    expect([status, errorCodeOf(text)]).toEqual([403, 'PROVIDER_DENIED']);
  });
});

test('a sign-in does not return to other sites', async () => {
  const others = [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https:evil.example',
    'https://app.example@evil.example/',
    'https://user:password@app.example/',
    'https://app.example.evil.example/',
    'http://app.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    `${LISTED}/${'x'.repeat(2_000)}`,
  ];
  for (const returnTo of others) {
    const { status, location, headers } = await openBrowser().get(startOf(gateway, returnTo));
    expect([returnTo, status, location]).toEqual([returnTo, 400, null]);
    expect(headers.getSetCookie()).toEqual([]);
  }
  const twice = await openBrowser().get(`${startOf(gateway)}&returnTo=https://evil.example`);
  expect(twice.status).toBe(400);
});

describe('a user id from a claim', () => {
  test('does not take over a user who was created in another way, unless configured', async () => {
    const before = await countSessions(claiming);
    const refused = await signIn('x1', { preferred_username: 'bob' }, claiming);
    expect([refused.status, errorCodeOf(refused.text)]).toEqual([403, 'FORBIDDEN']);
    expect(await countSessions(claiming)).toBe(before);
    const { url } = await signIn('x1', { preferred_username: 'bob' }, linking);
    expect((await exchange(codeOf(url), linking)).session!.user.userId).toBe('bob');
  });

  test('never takes over the user of another person', async () => {
    for (const at of [claiming, linking]) {
      await signIn('y1', { preferred_username: 'yara' }, at);
      const refused = await signIn('y2', { preferred_username: 'yara' }, at);
      expect([refused.status, errorCodeOf(refused.text)]).toEqual([403, 'FORBIDDEN']);
      expect((await signIn('y1', { preferred_username: 'yara' }, at)).url).toContain(PAGE);
    }
  });

  test('is refused if it is missing or not valid', async () => {
    for (const preferred_username of [undefined, '', 5, { $ne: '' }, `visitor-${'0'.repeat(40)}`, 'x'.repeat(51)]) {
      const { status } = await signIn('z1', { preferred_username }, claiming);
      expect([preferred_username, [403, 422].includes(status)]).toEqual([preferred_username, true]);
    }
  });
});

test('a gateway starts without its provider, and signs in as soon as the provider answers', async () => {
  const port = await freePort();
  const limited = { RATE_LIMITS: 'on', RATE_LIMIT_SIGN_INS: '2' };
  const waiting = await startClient(ports[3]!, { OIDC_ISSUER: `http://127.0.0.1:${port}`, ...limited });
  try {
    const { status, text, headers } = await openBrowser().get(startOf(waiting));
    expect([status, errorCodeOf(text)]).toEqual([503, 'PROVIDER_UNAVAILABLE']);
    expect(headers.get('retry-after')).not.toBeNull();
    expect(text).not.toContain(String(port));
    const late = await startOidcProvider([callbackAt(ports[3]!)], port);
    try {
      late.person = 'late';
      const { url } = await openBrowser().follow(startOf(waiting), (one) => one.startsWith(LISTED));
      expect((await exchange(codeOf(url), waiting)).session).toBeDefined();
      // The callback and the exchange used up the sign-ins of this address.
      const refused = await openBrowser().get(callbackAt(ports[3]!));
      expect([refused.status, errorCodeOf(refused.text)]).toEqual([429, 'RATE_LIMITED']);
    } finally {
      await late.close();
    }
  } finally {
    await waiting.close();
  }
});

test('an issuer without TLS is accepted on localhost only, and needs a client id', async () => {
  const issuers = ['http://id.example', 'ftp://id.example', 'http://localhost.evil.example', 'id.example'];
  for (const OIDC_ISSUER of issuers) expect(() => readConfig({ OIDC_ISSUER })).toThrow('OIDC_ISSUER');
  for (const OIDC_ISSUER of ['https://id.example', 'http://localhost:9000']) readConfig({ OIDC_ISSUER });
  await expect(startTestGateway({ OIDC_ISSUER: 'https://id.example' })).rejects.toThrow('OIDC_CLIENT_ID');
});
