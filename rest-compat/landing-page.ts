import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

const STYLE = `
:root { color-scheme: light dark; --text: #1c2420; --muted: #5b6660; --line: #dde3df; --surface: #fff; --page: #f5f7f6; --accent: #22614f }
@media (prefers-color-scheme: dark) { :root { --text: #e4eae7; --muted: #9caaa3; --line: #2f3935; --surface: #1a211e; --page: #121715; --accent: #7cc8ae } }
body { background: var(--page); color: var(--text); font: 1rem/1.55 system-ui, sans-serif; margin: 0 auto; max-width: 56rem; padding: 3rem 1rem }
h1 { font-size: 1.75rem; margin: 0 }
h2 { font-size: .85rem; color: var(--muted); margin: 2rem 0 .5rem; font-weight: 600 }
p { color: var(--muted); margin: .25rem 0 0; max-width: 40rem }
ul { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fill, minmax(16rem, 1fr)); list-style: none; margin: 0; padding: 0 }
a { background: var(--surface); border: 1px solid var(--line); border-radius: .6rem; color: inherit; display: block; height: 100%; box-sizing: border-box; padding: .75rem 1rem; text-decoration: none }
a:hover, a:focus-visible { border-color: var(--accent) }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
strong { color: var(--accent); display: block }
code { color: var(--muted); font-size: .8rem }
span { color: var(--muted); display: block; font-size: .875rem }
`;

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

type Link = [path: string, name: string, meaning: string];

const CONSOLE: Link = ['/admin', 'Console', 'Moderate content, manage people, roles and webhooks'];
const SAMPLE_ACCOUNTS: Link[] = [
  ['/admin/login?account=admin', 'Ada, administrator', 'Every page of the console'],
  ['/admin/login?account=alice', 'Alice, moderator', 'The communities that she moderates'],
  ['/admin/login?account=bob', 'Bob, member', 'No access to the console'],
];
const GRAPHIQL: Link = ['/graphql', 'GraphiQL', 'The GraphQL API, with its schema'];
const DOCS: Link[] = [
  ['/docs', 'REST documentation', 'Every route, to try in the browser'],
  ['/docs/events', 'Live events', 'Events as they arrive'],
  ['/openapi.json', 'OpenAPI document', 'The REST interface for generators'],
  ['/asyncapi.json', 'AsyncAPI document', 'The events for generators'],
];
const HEALTH: Link[] = [
  ['/healthz', 'Health', 'The process runs'],
  ['/readyz', 'Readiness', 'The database answers'],
];

export interface LandingPageOptions {
  hasGraphiql: boolean;
  hasDocs: boolean;
  /** Whether the console signs in to accounts of the sample network. */
  hasSampleSignIn: boolean;
}

/** Mounts `/`: what this server is, with links to the pages of this gateway. */
export function mountLandingPage(
  server: FastifyInstance,
  { hasGraphiql, hasDocs, hasSampleSignIn }: LandingPageOptions,
): void {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Colloquy</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Colloquy</h1>
<p>A self-hosted backend for communities, feeds and chat: GraphQL, a versioned REST interface, realtime and webhooks.</p>
${section('Operate', [CONSOLE])}
${hasSampleSignIn ? section('Sign in to the sample network', SAMPLE_ACCOUNTS) : ''}
${section('Develop', [...(hasGraphiql ? [GRAPHIQL] : []), ...(hasDocs ? DOCS : [])])}
${section('Monitor', HEALTH)}
</main>
</body>
</html>
`;
  server.get('/', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', POLICY).send(html),
  );
}

function section(title: string, links: Link[]): string {
  if (links.length === 0) return '';
  const items = links.map(
    ([path, name, meaning]) =>
      `<li><a href="${path}"><strong>${name}</strong><span>${meaning}</span><code>${path}</code></a></li>`,
  );
  return `<h2>${title}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
}
