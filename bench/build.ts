import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Where the built programs lie. */
export const BUILT = fileURLToPath(new URL('../dist/bench/', import.meta.url));
/** The gateway as `npm start` runs it. */
export const GATEWAY = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** Builds what is measured: the gateway itself, and beside it the compared servers in the same way. */
export async function buildPrograms(): Promise<void> {
  await import('../scripts/build.mjs' as string);
  await build({
    entryPoints: {
      store: 'bench/programs/store.ts',
      echo: 'bench/programs/echo.ts',
      'hand-written': 'bench/programs/hand-written.ts',
      'bare-yoga': 'bench/programs/bare-yoga.ts',
      'stock-sockets': 'bench/programs/stock-sockets.ts',
      'socket-fleet': 'bench/programs/socket-fleet.ts',
      'stock-webhooks': 'bench/programs/stock-webhooks.ts',
      // The store looks for its thread beside itself.
      'embedded-worker': 'src/embedded/worker.ts',
    },
    absWorkingDir: fileURLToPath(new URL('..', import.meta.url)),
    outdir: BUILT,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    sourcemap: true,
    logLevel: 'warning',
  });
}
