import { existsSync } from 'node:fs';
import { build } from 'esbuild';

/** The programs, each in one file; their dependencies stay in node_modules. */
const ENTRIES = {
  main: 'src/main.ts',
  'embedded-worker': 'src/embedded/worker.ts',
  seed: 'src/seed.ts',
  store: 'src/store-cli/main.ts',
};

await build({
  entryPoints: Object.fromEntries(Object.entries(ENTRIES).filter(([, file]) => existsSync(file))),
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  sourcemap: true,
  logLevel: 'warning',
});
