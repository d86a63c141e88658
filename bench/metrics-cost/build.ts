import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What a file of `src/observe` becomes in a gateway that measures nothing, from its source. */
const WITHOUT: { readonly [file: string]: (source: string) => string } = {
  'commands.ts': () => 'export const observeCommand = (_command, send) => send();',
  'registry.ts': (source) => `${source}
CounterValue.prototype.add = () => {};
HistogramValue.prototype.observe = () => {};`,
  'process-metrics.ts': () => `const delay = { p50: 0, p99: 0, max: 0, utilization: 0 };
export const measureProcess = () => ({ loopDelay: () => delay, endPeriod() {}, close() {} });`,
};

function withoutMetrics(replaced: Set<string>): Plugin {
  return {
    name: 'without-metrics',
    setup({ onLoad }) {
      onLoad({ filter: /src\/observe\/(metrics\/)?(commands|registry|process-metrics)\.ts$/ }, async ({ path }) => {
        const name = basename(path);
        replaced.add(name);
        return { contents: WITHOUT[name]!(await readFile(path, 'utf8')), loader: 'ts' };
      });
    },
  };
}

export interface BuiltGateway {
  /** Path of the program. */
  file: string;
  remove(): Promise<void>;
}

/** Builds the gateway as `npm start` does, without counters, histograms and the measurement of the event loop. */
export async function buildWithoutMetrics(): Promise<BuiltGateway> {
  const { OPTIONS } = await import('../../scripts/build-options.mjs' as string);
  // Next to `dist`, so that it finds packages and documents like the gateway.
  const folder = await mkdtemp(join(ROOT, '.built-'));
  const replaced = new Set<string>();
  await build({
    ...OPTIONS,
    absWorkingDir: ROOT,
    outdir: folder,
    entryPoints: { main: 'src/launch.ts' },
    splitting: true,
    plugins: [...OPTIONS.plugins, withoutMetrics(replaced)],
  });
  const missing = Object.keys(WITHOUT).filter((name) => !replaced.has(name));
  if (missing.length > 0) throw new Error(`${missing.join(', ')}: not a part of the gateway any more`);
  return { file: join(folder, 'main.js'), remove: () => rm(folder, { recursive: true, force: true }) };
}
