import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface BuiltProgram {
  /** Folder of the built files, each named after its key in `entryPoints`. */
  folder: string;
  remove(): Promise<void>;
}

/** Bundles programs that a test starts as processes, as `npm start` does. @param entryPoints name -> source */
export async function buildProgram(entryPoints: Record<string, string>): Promise<BuiltProgram> {
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
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
