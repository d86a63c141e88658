import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

const PREFIX = fileURLToPath(new URL(`../../.built-${process.pid}`, import.meta.url));

/**
 * Names the folders in which `build-program.ts` keeps the programs that it has built in this run, and deletes them after
 * the run, and before a rerun of watch mode, whose sources have changed.
 */
export default function setup(project: TestProject): () => Promise<void> {
  // The workers inherit it.
  process.env.BUILT_PROGRAMS = PREFIX;
  project.onTestsRerun(removeAll);
  return removeAll;
}

async function removeAll(): Promise<void> {
  const folder = dirname(PREFIX);
  const names = (await readdir(folder)).filter((name) => name.startsWith(`${basename(PREFIX)}-`));
  await Promise.all(names.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}
