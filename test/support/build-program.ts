import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface BuiltProgram {
  /** Folder of the built files, each named after its key in `entryPoints`. A test run shares it: it must not be changed. */
  folder: string;
  remove(): Promise<void>;
}

/**
 * Bundles programs that a test starts as processes, as `npm start` does. The test files of a run share one build of the
 * same programs, see `program-folders.ts`.
 *
 * @param entryPoints name -> source
 */
export async function buildProgram(entryPoints: Record<string, string>): Promise<BuiltProgram> {
  const { BUILT_PROGRAMS } = process.env;
  if (!BUILT_PROGRAMS) {
    const folder = await bundle(entryPoints);
    return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
  }
  const key = createHash('sha256')
    .update(JSON.stringify(Object.entries(entryPoints).sort()))
    .digest('hex')
    .slice(0, 12);
  const folder = `${BUILT_PROGRAMS}-${key}`;
  if (!existsSync(folder)) {
    const built = await bundle(entryPoints);
    // Another worker may have built the same programs meanwhile.
    await rename(built, folder).catch(() => rm(built, { recursive: true, force: true }));
  }
  return { folder, remove: async () => undefined };
}

/** The gateway as one process or several, with the embedded store's thread. */
export const buildGateway = (): Promise<BuiltProgram> =>
  buildProgram({ main: 'src/main.ts', 'embedded-worker': 'src/embedded/worker.ts' });

/** What `npm run build` writes, whose packages are bundled, in a folder of its own. */
export async function buildRelease(): Promise<BuiltProgram> {
  // Next to `dist`, so that packages and documents are found by the same paths.
  const folder = await mkdtemp(join(ROOT, '.built-'));
  const env = { ...process.env, BUILD_FOLDER: folder };
  await promisify(execFile)(process.execPath, ['scripts/build.mjs'], { cwd: ROOT, env });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

async function bundle(entryPoints: Record<string, string>): Promise<string> {
  // Next to `dist`, so that it resolves packages and documents like the real program.
  const folder = await mkdtemp(join(ROOT, '.built-'));
  await build({
    absWorkingDir: ROOT,
    entryPoints,
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    plugins: [(await import('../../scripts/document-sources.mjs' as string)).documentSources],
  });
  return folder;
}
