import { spawn, spawnSync } from 'node:child_process';
import { isFullLoad } from '../support/full-load.ts';

export interface SmallDisk {
  name: string;
  /** The program that runs shell commands with a small disk at the folder `$1`. */
  run: { program: string; args: string[] };
  /** The prefix of each command. */
  prefix: string;
}

const DISK_MIB = 20;
const BALLAST_MIB = 6;
export const OWN_FILE_SYSTEM = 'a file system';

/** A small file system in a mount namespace of these processes. Needs root or user namespaces. */
function ownFileSystem(flags: string, scale: number): SmallDisk {
  const fill = [1, 2].map((n) => `head -c ${BALLAST_MIB}M /dev/zero > "$1/ballast-${n}"`).join(' && ');
  return {
    name: OWN_FILE_SYSTEM,
    run: {
      program: 'unshare',
      args: [flags, 'sh', '-ec', `mount -t tmpfs -o size=${DISK_MIB * scale}m tmpfs "$1" && ${fill}`],
    },
    prefix: '',
  };
}

/** A limit on the size of files, available on every Linux system. */
const limitedFiles = (scale: number): SmallDisk => ({
  name: 'a limit on the size of files',
  run: { program: 'sh', args: ['-ec', ':'] },
  prefix: `prlimit --fsize=${8 * scale * 1024 * 1024}: `,
});

const works = ({ run }: SmallDisk): boolean => spawnSync(run.program, [...run.args, 'sh', '/mnt']).status === 0;

/** The small disks available on this system: a limit on the size of files, and if possible a file system. */
export function smallDisks(scale = isFullLoad ? 10 : 1): SmallDisk[] {
  const fileSystems = [ownFileSystem('-m', scale), ownFileSystem('-rm', scale)].filter(works).slice(0, 1);
  return [...fileSystems, limitedFiles(scale)];
}

/** Runs shell commands in sequence with `$1` as their folder; resolves with their output. */
export function runOn({ run, prefix }: SmallDisk, folder: string, commands: readonly string[]): Promise<string> {
  const [setup = '', ...head] = [...run.args].reverse();
  const script = [setup, 'set +e', ...commands.map((command) => `${prefix}${command}`)].join('\n');
  const child = spawn(run.program, [...head.reverse(), script, 'sh', folder], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-4000);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => {
      if (output === '') reject(new Error(errors));
      else resolve(output);
    });
  });
}
