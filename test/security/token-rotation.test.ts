import { SignJWT } from 'jose';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createTokenSigner } from '../../src/domain/session/tokens.ts';
import { outdatedSecrets } from '../../src/process/production-settings.ts';
import { signIn, startTestGateway } from '../support/gateway.ts';
import { isAcceptedEverywhere } from '../support/open-connections.ts';
import { openDatabase } from '../support/two-gateways.ts';

const OLD = 'old-secret-of-at-least-32-characters';
const NEW = 'new-secret-of-at-least-32-characters';
const CLAIMS = {
  kind: 'access' as const,
  networkId: 'default',
  userId: 'bob',
  id: 'session',
  issuedAt: new Date(),
  expiresAt: new Date(Date.now() + 3_600_000),
};

/** The steps of docs/guides/keys.md: each gateway is restarted with the next settings, one after the other. */
const STEPS = [
  { TOKEN_SECRET: OLD },
  { TOKEN_SECRET: OLD, TOKEN_SECRET_ACCEPTED: NEW },
  { TOKEN_SECRET: NEW, TOKEN_SECRET_ACCEPTED: OLD },
] as const;

test('two gateways change TOKEN_SECRET one after the other, and every token stays valid on both, over every transport', async () => {
  const database = await openDatabase();
  onTestFinished(() => database.close());
  const keys = { API_KEY: 'rotation-api-key', SERVER_KEY: 'rotation-server-key', SAMPLE_DATA: 'none' };
  const databaseName = 'token_rotation';
  const startWith = (step: number) =>
    startTestGateway({ ...keys, ...STEPS[step], MONGODB_URI: database.uri }, { databaseName });
  const tokens: string[] = [];
  const refused: string[] = [];
  for (let step = 0; step < STEPS.length - 1; step += 1) {
    // One gateway has the settings of the step already, the other those before it.
    const pair = [await startWith(step), await startWith(step + 1)];
    for (const [index, gateway] of pair.entries()) {
      tokens.push(await signIn(gateway, 'bob', `device ${step} ${index}`));
    }
    for (const { url } of pair) {
      for (const token of tokens) {
        await isAcceptedEverywhere(pair[0]!, { userId: 'bob', token, url }).catch((error: Error) => {
          refused.push(`${step}: ${url}: ${error.message}`);
        });
      }
    }
    for (const gateway of pair) await gateway.stop();
  }
  expect(tokens).toHaveLength(4);
  expect(refused).toEqual([]);
}, 300_000);

describe('an accepted secret', () => {
  test('verifies until the end of its day, also a token that was verified before', async () => {
    const token = await createTokenSigner(OLD).sign(CLAIMS);
    const until = new Date(Date.now() + 60_000);
    const accepted = { secret: OLD, until };
    const signer = createTokenSigner(NEW, [accepted]);
    expect(await signer.verify(token)).toMatchObject({ userId: 'bob' });
    until.setTime(Date.now() - 1);
    expect(await signer.verify(token)).toBeNull();
    expect(await createTokenSigner(NEW).verify(token)).toBeNull();
  });

  test('signs nothing', async () => {
    const token = await createTokenSigner(NEW, [{ secret: OLD, until: null }]).sign(CLAIMS);
    expect(await createTokenSigner(OLD).verify(token)).toBeNull();
    expect(await createTokenSigner(NEW).verify(token)).toMatchObject({ userId: 'bob' });
  });

  test('verifies tokens of older releases, which name no key, and none that name another key', async () => {
    const sign = (kid?: string) =>
      new SignJWT({ net: 'default' })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT', ...(kid && { kid }) })
        .setIssuer('colloquy')
        .setAudience('access')
        .setSubject('bob')
        .setJti('session')
        .setIssuedAt()
        .setExpirationTime('1m')
        .sign(Buffer.from(OLD));
    const signer = createTokenSigner(NEW, [{ secret: OLD, until: null }]);
    expect(await signer.verify(await sign())).toMatchObject({ userId: 'bob' });
    expect(await signer.verify(await sign('another'))).toBeNull();
  });
});

describe('TOKEN_SECRET_ACCEPTED', () => {
  test('contains secrets with an optional date', () => {
    const { TOKEN_SECRET_ACCEPTED } = readConfig({ TOKEN_SECRET_ACCEPTED: `${OLD}@2026-12-31, ${NEW}` });
    expect(TOKEN_SECRET_ACCEPTED).toEqual([
      { secret: OLD, until: new Date('2027-01-01T00:00:00Z') },
      { secret: NEW, until: null },
    ]);
  });

  test.each(['short', `${OLD},short@2026-12-31`, `${OLD}@2026-02-31`])(
    'is refused as %j, without its value',
    (text) => {
      const read = () => readConfig({ TOKEN_SECRET_ACCEPTED: text });
      expect(read).toThrow(/TOKEN_SECRET_ACCEPTED: each secret needs 32 to 500 characters/);
      expect(read).not.toThrow(/old-secret|2026-02/);
    },
  );

  test('is reported in production while a rotation is not finished', () => {
    const linesOf = (text: string) =>
      outdatedSecrets(readConfig({ NODE_ENV: 'production', TOKEN_SECRET_ACCEPTED: text }), new Date('2027-01-01'));
    expect(linesOf(`${OLD}@2027-06-30`)).toEqual([]);
    expect(linesOf(`${OLD}@2026-12-31`)).toEqual([expect.stringContaining('whose date has passed')]);
    expect(linesOf(OLD)).toEqual([expect.stringContaining('without a date')]);
  });
});
