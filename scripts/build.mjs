import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { build } from 'esbuild';
import { buildConsole } from './build-console.mjs';
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

/** Next to `docs` and `openapi.json`, which the gateway serves. */
const FOLDER = process.env.BUILD_FOLDER ?? 'dist';

const OPTIONS = {
  outdir: FOLDER,
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

async function writeConsole() {
  for (const { path, contents } of await buildConsole()) {
    const file = `${FOLDER}/console/${path}`;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, contents);
  }
}

/** Programs of one file each. */
const PROGRAMS = {
  'embedded-worker': 'src/embedded/worker.ts',
  seed: 'src/seed.ts',
  store: 'src/store-cli/main.ts',
  admin: 'src/admin-cli/main.ts',
};

await rm(FOLDER, { recursive: true, force: true });
await Promise.all([
  // Split, so that dynamic imports are loaded only when they are needed.
  build({ ...OPTIONS, entryPoints: { main: 'src/launch.ts' }, splitting: true }),
  writeConsole(),
  build({
    ...OPTIONS,
    entryPoints: Object.fromEntries(Object.entries(PROGRAMS).filter(([, file]) => existsSync(file))),
  }),
]);
