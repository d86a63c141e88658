import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Folder of the built programs. */
export const BUILT = fileURLToPath(new URL('../dist/bench/', import.meta.url));
/** The gateway as started by `npm start`. */
export const GATEWAY = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** Builds the gateway and, in the same way, the servers it is compared with. */
export async function buildPrograms(): Promise<void> {
  await import('../scripts/build.mjs' as string);
  const { OPTIONS } = await import('../scripts/build-options.mjs' as string);
  await build({
    entryPoints: {
      store: 'bench/programs/store.ts',
      echo: 'bench/programs/echo.ts',
      'hand-written': 'bench/programs/hand-written.ts',
      'without-index': 'bench/programs/without-index.ts',
      'bare-yoga': 'bench/programs/bare-yoga.ts',
      'small-peer': 'bench/programs/small-peer.ts',
      'tcp-bridge': 'bench/programs/tcp-bridge.ts',
      'stock-sockets': 'bench/programs/stock-sockets.ts',
      broadcast: 'bench/programs/broadcast.ts',
      'load-generator': 'bench/programs/load-generator.ts',
      'socket-fleet': 'bench/programs/socket-fleet.ts',
      executor: 'bench/programs/executor.ts',
      'stock-webhooks': 'bench/programs/stock-webhooks.ts',
      // The store loads its thread from its own folder.
      'embedded-worker': 'src/embedded/worker.ts',
    },
    absWorkingDir: fileURLToPath(new URL('..', import.meta.url)),
    outdir: BUILT,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    // Programs that execute documents of the gateway contain them.
    plugins: OPTIONS.plugins,
    sourcemap: true,
    logLevel: 'warning',
  });
}
