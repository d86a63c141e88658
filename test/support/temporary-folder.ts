import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    temporaryFolder: string;
  }
}

/** Creates a folder for the stores that test workers share and deletes it after the run, also when a worker crashed. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-run-'));
  provide('temporaryFolder', folder);
  return () => rm(folder, { recursive: true, force: true });
}
