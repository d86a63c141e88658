import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const PACKAGE = '@graphql-yoga/render-graphiql';

const SIGN_IN = `# Most fields need an access token:
# 1. Run this mutation. X-API-Key, in
#    Headers below, names the network.
# 2. Copy accessToken into Headers:
#    "Authorization": "Bearer ..."
# 3. Run the second tab with it too.
mutation SignIn {
  createSession(input: { userId: "alice", deviceId: "graphiql" }) {
    ... on CreateSessionPayload {
      session {
        accessToken
        user {
          userId
          displayName
        }
      }
    }
    ... on OperationError {
      code
      message
    }
  }
}
`;

const VIEWER = `query Viewer {
  viewer {
    userId
    displayName
  }
  post(postId: "seedlings") {
    data {
      text
    }
  }
}
`;

interface Page {
  compressed: Buffer;
  policy: string;
}

/** Whether a request comes from a browser that opens the endpoint as a page. */
export function wantsGraphiql({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') ?? false;
}

/** Whether GraphiQL is installed. It is a development dependency: production never serves it. */
export function isGraphiqlInstalled(): boolean {
  try {
    createRequire(import.meta.url).resolve(PACKAGE);
    return true;
  } catch {
    return false;
  }
}

/**
 * Serves GraphiQL. It needs no token, because introspection needs none in development, and shows the mutation that
 * creates one.
 *
 * @param apiKey shown in the headers editor; null for a key from the environment, which is not shown
 */
export function createGraphiql(
  apiKey: string | null,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  let page: Promise<Page> | undefined;
  return async (request, reply) => {
    page ??= renderPage(apiKey);
    const { compressed, policy } = await page;
    const isCompressed = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    if (isCompressed) reply.header('content-encoding', 'gzip');
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .header('vary', 'accept-encoding')
      .send(isCompressed ? compressed : await promisify(gunzip)(compressed));
  };
}

async function renderPage(apiKey: string | null): Promise<Page> {
  // Loaded on demand: the scripts are nine megabytes, and most processes never serve them.
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const headers = JSON.stringify({ 'X-API-Key': apiKey ?? '', Authorization: '' }, null, 2);
  const html = renderGraphiQL({
    title: 'Colloquy',
    endpoint: '/graphql',
    headers,
    defaultHeaders: headers,
    defaultTabs: [
      { query: SIGN_IN, headers },
      { query: VIEWER, headers },
    ],
    defaultEditorToolsVisibility: 'headers',
  });
  return { compressed: await promisify(gzip)(html), policy: policyOf(html) };
}

/** Content security policy: allows only the scripts of the page, their workers, and connections to this server. */
function policyOf(html: string): string {
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, text]) => `'sha256-${createHash('sha256').update(text!).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    `script-src ${scripts.join(' ')} blob:`,
    'worker-src blob:',
    // The editor uses inline styles.
    "style-src 'unsafe-inline'",
    'font-src data:',
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
