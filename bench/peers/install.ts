import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const MODULES = fileURLToPath(new URL('../../node_modules/', import.meta.url));

/** Packages of one set of peers, with exact versions. */
export interface Packages {
  [name: string]: string;
}

interface Installing {
  /** Packages that the peers share with the gateway, because they must be the same module. */
  shared?: readonly string[];
}

/**
 * Installs packages from the npm registry into a temporary folder, where a later run with the same versions finds them.
 * Install scripts are not run.
 *
 * @returns the folder
 */
export async function installPackages(packages: Packages, { shared = [] }: Installing = {}): Promise<string> {
  const folder = folderOf(packages, shared);
  if (await exists(join(folder, 'package.json'))) return folder;
  const partial = `${folder}-${process.pid}`;
  await mkdir(partial, { recursive: true });
  await writeFile(join(partial, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await promisify(execFile)('npm', ['install', ...options], { cwd: partial, maxBuffer: 16 * 1_048_576 });
  for (const name of shared) {
    await rm(join(partial, 'node_modules', name), { recursive: true, force: true });
    await symlink(join(MODULES, name), join(partial, 'node_modules', name));
  }
  await rename(partial, folder).catch(async (error) => {
    // A concurrent run has installed them meanwhile.
    await rm(partial, { recursive: true, force: true });
    if (!(await exists(join(folder, 'package.json')))) throw error;
  });
  return folder;
}

/** Whether an earlier run has installed the packages. */
export const isInstalled = (packages: Packages): Promise<boolean> =>
  exists(join(folderOf(packages, []), 'package.json'));

function folderOf(packages: Packages, shared: readonly string[]): string {
  // Shared packages are links into this checkout, which another checkout cannot use.
  const text = JSON.stringify({ packages, shared, modules: shared.length > 0 ? MODULES : null });
  return join(tmpdir(), `colloquy-bench-peers-${createHash('sha256').update(text).digest('hex').slice(0, 12)}`);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
