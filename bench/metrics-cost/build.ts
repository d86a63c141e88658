import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The signal on which the built gateway stops measuring, and measures again. */
export const SWITCH = 'SIGUSR2';

/** What a file of `src/observe` becomes in a gateway that stops measuring on request, from its source. */
const SWITCHED: { readonly [file: string]: (source: string) => string } = {
  'registry.ts': (source) => `${source}
let measures = true;
process.on('${SWITCH}', () => { measures = !measures; });
export const isMeasuring = (): boolean => measures;
const { add } = CounterValue.prototype;
CounterValue.prototype.add = function (amount) { if (measures) add.call(this, amount); };
const { observe } = HistogramValue.prototype;
HistogramValue.prototype.observe = function (value) { if (measures) observe.call(this, value); };`,
  'commands.ts': (source) => `import { isMeasuring } from './metrics/registry.ts';
${replaced(source, 'export function observeCommand<Result>(', 'function observed<Result>(')}
export const observeCommand = (command, send) => (isMeasuring() ? observed(command, send) : send());`,
  'process-metrics.ts': (source) => `import { isMeasuring } from './registry.ts';
${replaced(
  source,
  'delays.enable();',
  `delays.enable();
  process.on('${SWITCH}', () => (isMeasuring() ? delays.enable() : delays.disable()));`,
)}`,
};

function replaced(source: string, part: string, by: string): string {
  if (!source.includes(part)) throw new Error(`${part} is not in the source any more.`);
  return source.replace(part, () => by);
}

function withSwitch(changed: Set<string>): Plugin {
  return {
    name: 'metrics-switch',
    setup({ onLoad }) {
      onLoad({ filter: /src\/observe\/(metrics\/)?(commands|registry|process-metrics)\.ts$/ }, async ({ path }) => {
        const name = basename(path);
        changed.add(name);
        return { contents: SWITCHED[name]!(await readFile(path, 'utf8')), loader: 'ts' };
      });
    },
  };
}

export interface BuiltGateway {
  /** Path of the program. */
  file: string;
  remove(): Promise<void>;
}

/**
 * Builds the gateway as `npm start` does, so that {@link SWITCH} turns counters, histograms and the measurement of the event
 * loop off and on. Off, a call of each remains, which takes nanoseconds.
 */
export async function buildWithSwitch(): Promise<BuiltGateway> {
  const { OPTIONS } = await import('../../scripts/build-options.mjs' as string);
  // Next to `dist`, so that it finds packages and documents like the gateway.
  const folder = await mkdtemp(join(ROOT, '.built-'));
  const changed = new Set<string>();
  await build({
    ...OPTIONS,
    absWorkingDir: ROOT,
    outdir: folder,
    entryPoints: { main: 'src/launch.ts' },
    splitting: true,
    plugins: [...OPTIONS.plugins, withSwitch(changed)],
  });
  const missing = Object.keys(SWITCHED).filter((name) => !changed.has(name));
  if (missing.length > 0) throw new Error(`${missing.join(', ')}: not a part of the gateway any more`);
  return { file: join(folder, 'main.js'), remove: () => rm(folder, { recursive: true, force: true }) };
}
