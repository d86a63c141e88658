import type { FastifyInstance } from 'fastify';

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

type Link = [path: string, text: string];

const ALWAYS: Link[] = [
  ['/healthz', 'Health: the process runs'],
  ['/readyz', 'Readiness: the database answers'],
];
const DOCS: Link[] = [
  ['/docs', 'REST documentation'],
  ['/docs/events', 'Live events'],
  ['/openapi.json', 'OpenAPI document'],
  ['/asyncapi.json', 'AsyncAPI document'],
];

/** Mounts `/`, with links to the pages of this gateway. */
export function mountLandingPage(
  server: FastifyInstance,
  { hasGraphiql, hasDocs }: { hasGraphiql: boolean; hasDocs: boolean },
): void {
  const graphiql: Link[] = hasGraphiql ? [['/graphql', 'GraphiQL']] : [];
  const links = [...graphiql, ...(hasDocs ? DOCS : []), ...ALWAYS];
  const items = links.map(([path, text]) => `<li><a href="${path}">${text}</a> <code>${path}</code></li>`).join('\n');
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Colloquy</title>
<style>body { font: 1rem/1.6 system-ui, sans-serif; margin: 4rem auto; max-width: 36rem; padding: 0 1rem }</style>
</head>
<body>
<h1>Colloquy</h1>
<ul>
${items}
</ul>
</body>
</html>
`;
  server.get('/', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', POLICY).send(html),
  );
}
