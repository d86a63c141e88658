import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '../../support/free-port.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
/** A user without rights, which acts as `colloquy` when the test may change users. */
const UNPRIVILEGED = 'nobody';

export interface Machine {
  /** In place of `/`. */
  folder: string;
  ports: { gateway: number; http: number; https: number };
  /** Runs commands of the page in the shell that ran the earlier ones. @returns standard output @throws if one fails */
  run(commands: string): Promise<string>;
  /** Publishes the working tree, and `changed` instead of some files, as a release of the repository. */
  release(tag: string, changed?: Record<string, string>): Promise<void>;
  remove(): Promise<void>;
}

/**
 * An empty folder in which the commands of a page run as on a new Debian machine. Substitutions:
 *
 * - `/opt`, `/etc`, `/var` and `/backups` are folders in it, `~` is its folder `root`, and `<repository>` a clone of this one;
 * - the ports 4000, 80 and 443 are free ones, and the host name leads to them;
 * - the programs in `bin`, which would change the machine, act on the folder; started services are real processes;
 * - `colloquy` is the user `nobody` for root, and otherwise the user of the test.
 */
export async function createMachine(): Promise<Machine> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'colloquy-machine-')));
  await chmod(folder, 0o755);
  for (const name of ['root', 'opt', 'etc/systemd/system', 'var/log', 'var/lib', 'run', 'repository']) {
    await mkdir(join(folder, name), { recursive: true });
  }
  const ports = { gateway: await freePort(), http: await freePort(), https: await freePort() };
  createAuthority(folder);
  await writeFile(join(folder, 'root', '.curlrc'), curlSettings(folder, ports));
  const env = environment(folder, ports);
  const shell = startShell(folder, env);
  return {
    folder,
    ports,
    run: (commands) => shell.run(substitute(commands, folder, ports)),
    release: (tag, changed = {}) => release(folder, tag, changed),
    async remove() {
      shell.end();
      execFileSync(join(import.meta.dirname, 'bin', 'systemctl'), ['stop', 'nginx', 'colloquy'], { env });
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export function substitute(commands: string, folder: string, ports: Machine['ports']): string {
  return commands
    .replaceAll(/(^|[\s='":(])(\/(?:opt|etc|var|backups)\b)/gm, `$1${folder}$2`)
    .replaceAll('127.0.0.1:4000', `127.0.0.1:${ports.gateway}`)
    .replaceAll('<repository>', `file://${folder}/repository`);
}

/** The authority that signs the certificate, and that curl trusts. */
function createAuthority(folder: string): void {
  const files = ['-keyout', join(folder, 'authority-key.pem'), '-out', join(folder, 'authority.pem')];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=Test', ...files],
    {
      stdio: 'pipe',
    },
  );
}

function curlSettings(folder: string, { http, https }: Machine['ports']): string {
  return [
    `connect-to = "community.example:80:127.0.0.1:${http}"`,
    `connect-to = "community.example:443:127.0.0.1:${https}"`,
    `cacert = "${folder}/authority.pem"`,
    'noproxy = "*"',
  ].join('\n');
}

function environment(folder: string, ports: Machine['ports']): NodeJS.ProcessEnv {
  const kept = [
    'LANG',
    'TMPDIR',
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'NO_PROXY',
    'NODE_EXTRA_CA_CERTS',
    'npm_config_registry',
  ];
  return {
    ...Object.fromEntries(kept.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
    HOME: join(folder, 'root'),
    PATH: [join(import.meta.dirname, 'bin'), dirname(process.execPath), process.env.PATH].join(':'),
    MACHINE: folder,
    SERVICE_USER: canChangeUser(folder) ? UNPRIVILEGED : '',
    GATEWAY_PORT: String(ports.gateway),
    HTTP_PORT: String(ports.http),
    HTTPS_PORT: String(ports.https),
    // The registry and the packages that the checkout was installed with.
    npm_config_userconfig: process.env.npm_config_userconfig ?? join(homedir(), '.npmrc'),
    npm_config_cache: process.env.npm_config_cache ?? join(homedir(), '.npm'),
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
  };
}

/** Whether the test may start processes of another user, who can read the folder and run this Node.js. */
function canChangeUser(folder: string): boolean {
  if (process.getuid?.() !== 0) return false;
  try {
    const script = 'test -x "$1" && "$2" --version';
    const user = ['-u', UNPRIVILEGED, '--', 'sh', '-c', script, 'sh', folder, process.execPath];
    execFileSync('/usr/sbin/runuser', user, { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

interface Shell {
  run(commands: string): Promise<string>;
  end(): void;
}

/** A shell that keeps variables and functions between runs, and ends at the first command that fails. */
function startShell(folder: string, env: NodeJS.ProcessEnv): Shell {
  const shell = spawn('bash', ['-s'], { cwd: folder, env, stdio: 'pipe' });
  let [output, errors, hasEnded] = ['', '', false];
  let check = () => {};
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    check();
  });
  shell.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  shell.stdin.on('error', () => {});
  shell.on('close', () => {
    hasEnded = true;
    check();
  });
  shell.stdin.write('set -euo pipefail; umask 022\n');
  return {
    run(commands) {
      const mark = randomUUID();
      output = '';
      errors = '';
      return new Promise((resolve, reject) => {
        check = () => {
          if (output.includes(mark)) resolve(output.slice(0, output.indexOf(mark)));
          else if (hasEnded) reject(new Error(`These commands failed:\n${commands}\n${output}\n${errors}`));
        };
        // A group, so that no command reads the commands after it.
        shell.stdin.write(`{\n${commands}\n} < /dev/null\necho ${mark}\n`);
        check();
      });
    },
    end: () => void shell.kill(),
  };
}

/** Files of the working tree that are committed or would be. */
function sourceFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  return listed.split('\0').filter((path) => path !== '');
}

async function release(folder: string, tag: string, changed: Record<string, string>): Promise<void> {
  const repository = join(folder, 'repository');
  for (const path of sourceFiles()) {
    if (path.startsWith('test/') || path.startsWith('docs/images/')) continue;
    // A file that was deleted and is still in the index.
    await cp(join(ROOT, path), join(repository, path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
  for (const [path, text] of Object.entries(changed)) await writeFile(join(repository, path), text);
  const author = ['-c', 'user.name=test', '-c', 'user.email=test@community.example', '-c', 'commit.gpgsign=false'];
  const git = (...args: string[]) => execFileSync('git', [...author, ...args], { cwd: repository, stdio: 'pipe' });
  git('init', '--quiet');
  git('add', '--all', '--force');
  git('commit', '--quiet', '--allow-empty', '--message', tag);
  git('-c', 'tag.gpgsign=false', 'tag', tag);
}
