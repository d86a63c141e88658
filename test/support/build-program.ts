import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface BuiltProgram {
  /** Where the built files lie, each named as its key in `entryPoints`. */
  folder: string;
  remove(): Promise<void>;
}

/** Builds programs that a test starts as processes of their own, as `npm start` does. @param entryPoints name -> source */
export async function buildProgram(entryPoints: Record<string, string>): Promise<BuiltProgram> {
  // Beside `dist`, so that it finds packages and documents where the real one does.
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
  });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
