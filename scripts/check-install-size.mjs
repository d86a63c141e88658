// Installs the production dependencies in an empty folder and fails if they need more than MAX_MB on the disk.
import { execFileSync } from 'node:child_process';
import { copyFile, lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MAX_MB = 120;
const INSTALL = ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];

/** Bytes that a folder takes on the disk, as `du` counts them. */
async function diskBytes(folder) {
  const entries = await readdir(folder, { withFileTypes: true });
  const sizes = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    const { blocks } = await lstat(path);
    return blocks * 512 + (entry.isDirectory() ? await diskBytes(path) : 0);
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

async function largest(modules) {
  const names = (await readdir(modules)).filter((name) => !name.startsWith('.'));
  const sizes = await Promise.all(names.map(async (name) => ({ name, bytes: await diskBytes(join(modules, name)) })));
  return sizes.sort((a, b) => b.bytes - a.bytes).slice(0, 10);
}

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

const folder = await mkdtemp(join(tmpdir(), 'colloquy-install-'));
try {
  for (const file of ['package.json', 'package-lock.json'])
    await copyFile(new URL(`../${file}`, import.meta.url), join(folder, file));
  execFileSync('npm', INSTALL, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const modules = join(folder, 'node_modules');
  const bytes = await diskBytes(modules);
  console.log(`Production dependencies: ${megabytes(bytes)}, at most ${MAX_MB} MB.`);
  for (const { name, bytes } of await largest(modules)) console.log(`  ${megabytes(bytes).padStart(9)}  ${name}`);
  if (bytes > MAX_MB * 1e6) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
