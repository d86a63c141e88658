import * as oidc from 'openid-client';
import type { OidcSettings } from './oidc-settings.ts';

/** Seconds that a request to the provider may take. */
const TIMEOUT_SECONDS = 5;

/** What a sign-in keeps between the redirect to the provider and the return from it. */
export interface PendingSignIn {
  state: string;
  nonce: string;
  /** The secret of PKCE (RFC 7636). */
  codeVerifier: string;
}

/** A person, as the provider describes them. */
export interface ProvenPerson {
  issuer: string;
  claims: { readonly sub: string; readonly [name: string]: unknown };
}

export interface OidcProvider {
  /** @throws {ProviderError} */
  begin(redirectUri: string): Promise<{ url: URL; pending: PendingSignIn }>;
  /**
   * Exchanges the code of a callback and validates the ID token: signature, issuer, audience, expiry and nonce.
   * @param callback the requested address, with its query
   * @throws {ProviderError}
   */
  finish(callback: URL, pending: PendingSignIn): Promise<ProvenPerson>;
}

/** A sign-in that the provider did not complete. */
export class ProviderError extends Error {
  /** `unavailable`: the provider did not answer, or failed. `denied`: it reported an error. `invalid`: its answer is not valid. */
  readonly reason: 'unavailable' | 'denied' | 'invalid';

  constructor(reason: ProviderError['reason'], cause: unknown) {
    super(`The sign-in at the provider failed: ${reason}`, { cause });
    this.reason = reason;
  }
}

/** A provider by its discovery document, which is read at the first sign-in: the provider may start later. */
export function createOidcProvider({ issuer, clientId, clientSecret, scopes }: OidcSettings): OidcProvider {
  let discovered: Promise<oidc.Configuration> | null = null;

  function discover(): Promise<oidc.Configuration> {
    discovered ??= readConfiguration().catch((error: unknown) => {
      // The next sign-in tries again.
      discovered = null;
      throw new ProviderError('unavailable', error);
    });
    return discovered;
  }

  async function readConfiguration(): Promise<oidc.Configuration> {
    const server = new URL(issuer);
    const execute = server.protocol === 'http:' ? [oidc.allowInsecureRequests] : [];
    const found = await oidc.discovery(server, clientId, undefined, undefined, { execute, timeout: TIMEOUT_SECONDS });
    const metadata = found.serverMetadata();
    const configuration = new oidc.Configuration(metadata, clientId, undefined, authenticationOf(metadata));
    configuration.timeout = TIMEOUT_SECONDS;
    for (const extend of execute) extend(configuration);
    // By default the library trusts ID tokens that arrive from the token endpoint, and checks no signature.
    oidc.enableNonRepudiationChecks(configuration);
    return configuration;
  }

  /** RFC 8414, section 2: without the list, a provider supports `client_secret_basic`. */
  function authenticationOf({ token_endpoint_auth_methods_supported: methods }: oidc.ServerMetadata): oidc.ClientAuth {
    if (clientSecret === null) return oidc.None();
    const isBasic = methods === undefined || methods.includes('client_secret_basic');
    return isBasic ? oidc.ClientSecretBasic(clientSecret) : oidc.ClientSecretPost(clientSecret);
  }

  return {
    async begin(redirectUri) {
      const configuration = await discover();
      const codeVerifier = oidc.randomPKCECodeVerifier();
      const pending = { state: oidc.randomState(), nonce: oidc.randomNonce(), codeVerifier };
      const url = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: scopes,
        response_type: 'code',
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
      return { url, pending };
    },

    async finish(callback, { state, nonce, codeVerifier }) {
      const configuration = await discover();
      try {
        const tokens = await oidc.authorizationCodeGrant(configuration, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims()!;
        const { userinfo_endpoint: userInfo } = configuration.serverMetadata();
        const profile = userInfo ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {};
        return { issuer: claims.iss, claims: { ...profile, ...claims } };
      } catch (error) {
        throw new ProviderError(reasonOf(error), error);
      }
    },
  };
}

function reasonOf(error: unknown): ProviderError['reason'] {
  if (error instanceof oidc.AuthorizationResponseError) return 'denied';
  if (error instanceof oidc.ResponseBodyError) return error.status >= 500 ? 'unavailable' : 'denied';
  const { code } = error as { code?: unknown };
  // `fetch` throws a TypeError when the connection fails.
  return code === 'OAUTH_TIMEOUT' || (error instanceof TypeError && error.message === 'fetch failed')
    ? 'unavailable'
    : 'invalid';
}
