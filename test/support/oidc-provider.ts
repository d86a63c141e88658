import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import Provider from 'oidc-provider';

export const CLIENT = { id: 'colloquy', secret: 'the-secret-of-the-client' };

/** An OpenID Connect provider on this machine. */
export interface TestProvider {
  issuer: string;
  /** The claims of the people by `sub`. */
  people: Map<string, Record<string, unknown>>;
  /** `sub` of the person who signs in next; null refuses to. */
  person: string | null;
  /** Claims that replace those of the next ID tokens, which are signed again. */
  tampered: Record<string, unknown>;
  /** Whether the next ID tokens are signed with a key that the provider does not publish. */
  forgesSignatures: boolean;
  close(): Promise<void>;
}

/**
 * @param callbacks addresses to which it sends browsers back
 * @param port @default a free one
 */
export async function startOidcProvider(callbacks: string[], port = 0): Promise<TestProvider> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const { privateKey: otherKey } = await generateKeyPair('RS256');
  const key = { ...(await exportJWK(privateKey)), kid: 'test', alg: 'RS256', use: 'sig' };
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  const server = createServer((request, response) => handle(request, response));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const running: TestProvider = {
    issuer,
    people: new Map(),
    person: null,
    tampered: {},
    forgesSignatures: false,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: callbacks }],
    findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ ...running.people.get(sub), sub }) }),
    claims: {
      openid: ['sub'],
      profile: ['name', 'preferred_username', 'picture'],
      email: ['email', 'email_verified'],
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    // Nobody has to consent.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ accountId: oidc.session!.accountId!, clientId: oidc.client!.clientId });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    pkce: { required: () => true },
    cookies: { keys: ['a-key-of-the-test'] },
    jwks: { keys: [key as never] },
  });
  const callback = provider.callback();
  handle = (request, response) => {
    if (request.url!.startsWith('/interaction/')) {
      const { person } = running;
      const result = person === null ? { error: 'access_denied' } : { login: { accountId: person } };
      void provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
      return;
    }
    if (request.url!.startsWith('/token')) replaceIdToken(response);
    void callback(request, response);
  };

  function replaceIdToken(response: ServerResponse): void {
    const end = response.end.bind(response) as (text: string) => void;
    const send = async (text: string) => {
      const body = JSON.parse(text);
      const isForged = running.forgesSignatures || Object.keys(running.tampered).length > 0;
      if (body.id_token && isForged) {
        body.id_token = await new SignJWT({ ...decodeJwt(body.id_token), ...running.tampered })
          .setProtectedHeader({ alg: 'RS256', kid: 'test' })
          .sign(running.forgesSignatures ? otherKey : privateKey);
      }
      const sent = JSON.stringify(body);
      response.setHeader('content-length', Buffer.byteLength(sent));
      end(sent);
    };
    response.end = ((text: string | Buffer) => {
      void send(String(text));
      return response;
    }) as typeof response.end;
  }
  return running;
}
