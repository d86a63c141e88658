import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { buildConsole } from './build-console.mjs';
import { OPTIONS } from './build-options.mjs';

/** Next to `docs` and `openapi.json`, which the gateway serves. */
const FOLDER = process.env.BUILD_FOLDER ?? 'dist';

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
  build({ ...OPTIONS, outdir: FOLDER, entryPoints: { main: 'src/launch.ts' }, splitting: true }),
  writeConsole(),
  build({
    ...OPTIONS,
    outdir: FOLDER,
    entryPoints: Object.fromEntries(Object.entries(PROGRAMS).filter(([, file]) => existsSync(file))),
  }),
]);

// esbuild escapes characters outside of ASCII in strings, but not in regular expressions: write `\uFF03` there.
for (const name of await readdir(FOLDER)) {
  if (!name.endsWith('.js')) continue;
  const wide = /[^\0-\xff]/.exec(await readFile(join(FOLDER, name), 'utf8'));
  if (wide) throw new Error(`${name} contains “${wide[0]}”: V8 would keep two bytes for each of its characters.`);
}
