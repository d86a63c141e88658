import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { build } from 'esbuild';

/** Loaded from node_modules: native code, packages with files of their own, and what most starts never load. */
const EXTERNAL = [
  'lmdb',
  'koffi',
  // `src/store/driver-repair.ts` reaches into the driver's files; both share one `bson`.
  'mongodb',
  'bson',
  '@fastify/swagger-ui',
  '@graphql-yoga/render-graphiql',
  '@aws-sdk/*',
];

/** CommonJS packages ask for the built-in modules by `require`, which ES modules lack. */
const REQUIRE =
  "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);";

/** Beside `docs` and `openapi.json`, which the gateway serves. */
const FOLDER = process.env.BUILD_FOLDER ?? 'dist';

const OPTIONS = {
  outdir: FOLDER,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: EXTERNAL,
  banner: { js: REQUIRE },
  sourcemap: true,
  // V8 keeps the source: comments would cost memory, and a character outside Latin-1 would double all of it.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  lineLimit: 200,
  logLevel: 'warning',
};

/** Programs in one file each. */
const PROGRAMS = {
  'embedded-worker': 'src/embedded/worker.ts',
  seed: 'src/seed.ts',
  store: 'src/store-cli/main.ts',
};

await rm(FOLDER, { recursive: true, force: true });
await Promise.all([
  // In pieces, so that what is imported dynamically is loaded only then.
  build({ ...OPTIONS, entryPoints: { main: 'src/launch.ts' }, splitting: true }),
  build({
    ...OPTIONS,
    entryPoints: Object.fromEntries(Object.entries(PROGRAMS).filter(([, file]) => existsSync(file))),
  }),
]);
