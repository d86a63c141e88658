import { documentSources } from './document-sources.mjs';

/** Loaded from node_modules: native code, packages that read their own files, and packages that most starts never load. */
const EXTERNAL = [
  'lmdb',
  'koffi',
  // `src/store/driver-patches.ts` reaches into the driver's files; both share one `bson`.
  'mongodb',
  'bson',
  '@fastify/swagger-ui',
  '@graphql-yoga/render-graphiql',
  // Installed by those who want traces.
  '@opentelemetry/sdk-trace-node',
  '@opentelemetry/resources',
  '@opentelemetry/exporter-trace-otlp-http',
];

/** CommonJS packages load built-in modules with `require`, which ES modules lack. */
const REQUIRE =
  "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);";

/** How the programs of the gateway are bundled. */
export const OPTIONS = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: EXTERNAL,
  plugins: [documentSources],
  banner: { js: REQUIRE },
  sourcemap: true,
  // V8 retains the source: comments cost memory, and one character outside Latin-1 doubles the size of all of it.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  lineLimit: 200,
  logLevel: 'warning',
};
