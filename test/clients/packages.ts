import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface ClientPackage {
  /** Name in reports and in the list of expected failures. */
  name: string;
  package: string;
  version: string;
  /** Packages of the platform that npm does not install by itself, name -> version. */
  dependencies?: Record<string, string>;
  /** Packages that only exist on a device, name -> version and source; each is replaced by what Node.js offers. */
  replaced?: Record<string, { version: string; source: string }>;
}

/** The published clients that run against the gateway. */
export const CLIENTS: readonly ClientPackage[] = [
  { name: 'ts-sdk 6.9.0', package: '@amityco/ts-sdk', version: '6.9.0', replaced: reactNative() },
  { name: 'ts-sdk 6.35.3', package: '@amityco/ts-sdk', version: '6.35.3' },
  {
    name: 'ts-sdk-react-native 7.20.0',
    package: '@amityco/ts-sdk-react-native',
    version: '7.20.0',
    replaced: reactNative(),
  },
];

/** React Native itself runs on devices only. The clients read the name of the platform. */
function reactNative(): Record<string, { version: string; source: string }> {
  return { 'react-native': { version: '0.80.0', source: "exports.Platform = { OS: 'ios' };\n" } };
}

/** Where the packages are installed: outside the repository, and kept for the next run. */
const FOLDER = process.env.CLIENTS_FOLDER ?? join(tmpdir(), 'colloquy-clients');

function folderOf({ package: name, version }: ClientPackage): string {
  return join(FOLDER, `${name.replaceAll(/[^a-z0-9]+/g, '-').slice(1)}-${version}`);
}

/** Installs a client from the npm registry unless an earlier run did. @returns the folder of its `node_modules` */
export async function installClient(client: ClientPackage): Promise<string> {
  const folder = folderOf(client);
  const manifest = JSON.stringify(await manifestOf(client, folder), null, 2);
  const installed = join(folder, 'installed.json');
  if ((await readFile(installed, 'utf8').catch(() => null)) === manifest) return folder;
  await writeFile(join(folder, 'package.json'), manifest);
  const npm = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--fetch-retries=1'];
  try {
    await run('npm', npm, { cwd: folder, timeout: 300_000 });
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    throw UNREACHABLE.test(stderr) ? new RegistryUnreachable(stderr.trim()) : new Error(`${message}\n${stderr}`);
  }
  await writeFile(installed, manifest);
  return folder;
}

/** Thrown when a package is not installed and the npm registry cannot be reached. */
export class RegistryUnreachable extends Error {}

/** Codes that npm reports for a registry that it cannot reach, rather than for a package. */
const UNREACHABLE =
  /\bcode (?:EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENOTCACHED)\b/;

async function manifestOf(client: ClientPackage, folder: string): Promise<object> {
  await mkdir(folder, { recursive: true });
  const dependencies: Record<string, string> = { [client.package]: client.version, ...client.dependencies };
  for (const [name, { version, source }] of Object.entries(client.replaced ?? {})) {
    const replacement = join(folder, 'replaced', name);
    await mkdir(replacement, { recursive: true });
    await writeFile(join(replacement, 'package.json'), JSON.stringify({ name, version, main: 'index.js' }));
    await writeFile(join(replacement, 'index.js'), source);
    dependencies[name] = `file:./replaced/${name}`;
  }
  return { private: true, dependencies };
}
