import { createHash, createSecretKey, type KeyObject } from 'node:crypto';
import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import type { AcceptedSecret } from '../../config.ts';
import type { TokenClaims, TokenSigner } from '../../context.ts';

const ALGORITHM = 'HS256';
const ISSUER = 'colloquy';
const KINDS = ['access', 'auth', 'refresh'] as const;

/** Maximum heap of the cached claims of verified tokens, about 7,000 tokens. */
const MAX_VERIFIED_BYTES = 4 * 1_048_576;
const CLAIMS_BYTES = 512;

/** A secret with the `kid` of the tokens that it signs. */
interface SigningKey {
  kid: string;
  key: KeyObject;
  until: Date | null;
}

interface Verified {
  claims: TokenClaims;
  /** When the secret of the token is no longer accepted. */
  until: Date | null;
}

/**
 * Signs and verifies tokens with pinned algorithm, issuer and audience. The audience is the kind of token, so that an
 * auth token is never accepted as an access token. Verified claims are cached; the session is read for every request.
 *
 * @param secret signs and verifies
 * @param accepted further secrets, which only verify: earlier and coming ones (docs/guides/keys.md)
 */
export function createTokenSigner(secret: string, accepted: readonly AcceptedSecret[] = []): TokenSigner {
  const current = signingKey({ secret, until: null });
  const keys = [current, ...accepted.map(signingKey)];
  const verified = new LRUCache<string, Verified>({
    maxSize: MAX_VERIFIED_BYTES,
    sizeCalculation: (_, token) => CLAIMS_BYTES + token.length,
  });

  return {
    sign: (claims) =>
      new SignJWT({
        net: claims.networkId,
        ...(claims.generation !== undefined && { gen: claims.generation }),
        // Clients that sign in with an access token read their ids from it: `docs/interface.md#authentication`.
        ...(claims.userInternalId && { user: { userId: claims.userInternalId, publicUserId: claims.userId } }),
      })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: current.kid })
        .setIssuer(ISSUER)
        .setAudience(claims.kind)
        .setSubject(claims.userId)
        .setJti(claims.id)
        .setIssuedAt(claims.issuedAt)
        .setExpirationTime(claims.expiresAt)
        .sign(current.key),

    async verify(token) {
      const claims = await verifySignature(token);
      return claims && !hasPassed(claims.expiresAt) ? claims : null;
    },
    verifySignature,
  };

  async function verifySignature(token: string): Promise<TokenClaims | null> {
    const known = verified.get(token);
    const found = known ?? (await check(token));
    if (!found || hasPassed(found.until)) return null;
    // Expired tokens arrive rarely, and would displace the others.
    if (!known && !hasPassed(found.claims.expiresAt)) verified.set(token, found);
    return found.claims;
  }

  async function check(token: string): Promise<Verified | null> {
    const kid = kidOf(token);
    // Tokens of older releases name no key.
    for (const key of kid === null ? keys : keys.filter((one) => one.kid === kid)) {
      const claims = await claimsOf(token, key.key);
      if (claims) return { claims, until: key.until };
    }
    return null;
  }
}

const hasPassed = (time: Date | null): boolean => time !== null && time.getTime() <= Date.now();

/** The id reveals nothing about a random secret. */
function signingKey({ secret, until }: AcceptedSecret): SigningKey {
  const kid = createHash('sha256').update(`${ISSUER} kid ${secret}`, 'utf8').digest('base64url').slice(0, 12);
  return { kid, key: createSecretKey(Buffer.from(secret, 'utf8')), until };
}

/** @returns null if the token names no key; of a malformed token too, which no key verifies */
function kidOf(token: string): string | null {
  try {
    return decodeProtectedHeader(token).kid ?? null;
  } catch {
    return null;
  }
}

/** @returns null for a token that the key did not sign */
async function claimsOf(token: string, key: KeyObject): Promise<TokenClaims | null> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: [...KINDS],
      // The callers check the expiry.
      currentDate: new Date(0),
      requiredClaims: ['sub', 'jti', 'net', 'exp', 'iat'],
    });
    const kind = KINDS.find((one) => one === payload.aud);
    if (!kind) return null;
    return {
      kind,
      networkId: String(payload.net),
      userId: String(payload.sub),
      id: String(payload.jti),
      issuedAt: new Date(payload.iat! * 1000),
      expiresAt: new Date(payload.exp! * 1000),
      ...(typeof payload.gen === 'number' && { generation: payload.gen }),
    };
  } catch {
    return null;
  }
}
