import { createSecretKey } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import type { TokenClaims, TokenSigner } from '../../context.ts';

const ALGORITHM = 'HS256';
const ISSUER = 'colloquy';

/** Maximum heap of the cached claims of verified tokens, about 7,000 tokens. */
const MAX_VERIFIED_BYTES = 4 * 1_048_576;
const CLAIMS_BYTES = 512;

/**
 * Signs and verifies tokens with pinned algorithm, issuer and audience. The audience is the kind of token, so that an
 * auth token is never accepted as an access token. Verified claims are cached; the session is read for every request.
 */
export function createTokenSigner(secret: string): TokenSigner {
  const key = createSecretKey(Buffer.from(secret, 'utf8'));
  const verified = new LRUCache<string, TokenClaims>({
    maxSize: MAX_VERIFIED_BYTES,
    sizeCalculation: (_, token) => CLAIMS_BYTES + token.length,
  });

  return {
    sign: (claims) =>
      new SignJWT({
        net: claims.networkId,
        // Clients that sign in with an access token read their ids from it: `docs/interface.md#authentication`.
        ...(claims.userInternalId && { user: { userId: claims.userInternalId, publicUserId: claims.userId } }),
      })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
        .setIssuer(ISSUER)
        .setAudience(claims.kind)
        .setSubject(claims.userId)
        .setJti(claims.id)
        .setIssuedAt(claims.issuedAt)
        .setExpirationTime(claims.expiresAt)
        .sign(key),

    async verify(token) {
      const known = verified.get(token);
      const claims = known ?? (await check(token));
      if (!claims || claims.expiresAt.getTime() <= Date.now()) return null;
      if (!known) verified.set(token, claims);
      return claims;
    },
  };

  async function check(token: string): Promise<TokenClaims | null> {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience: ['access', 'auth'],
        requiredClaims: ['sub', 'jti', 'net', 'exp', 'iat'],
      });
      if (payload.aud !== 'access' && payload.aud !== 'auth') return null;
      return {
        kind: payload.aud,
        networkId: String(payload.net),
        userId: String(payload.sub),
        id: String(payload.jti),
        issuedAt: new Date(payload.iat! * 1000),
        expiresAt: new Date(payload.exp! * 1000),
      };
    } catch {
      return null;
    }
  }
}
