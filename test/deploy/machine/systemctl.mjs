/**
 * A service manager of two services: `colloquy`, by its unit file, and `nginx`. Implements what docs/production.md uses:
 * the user, the environment, the state directory and the umask of a unit, and SIGTERM at its end.
 */
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const { MACHINE, SERVICE_USER, GATEWAY_PORT, PATH } = process.env;
const STOP_TIMEOUT_MS = 30_000;
const [verb, ...names] = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const inMachine = (text) => text.replaceAll(/(^|[\s=])(\/(?:opt|etc|var)\/)/gm, `$1${MACHINE}$2`);
const pidFile = (name) => join(MACHINE, 'run', `${name}.pid`);
const settingsIn = (text) =>
  Object.fromEntries(Array.from(text.matchAll(/(?:^|\s)(\w+)=(\S*)/gm), ([, key, value]) => [key, value]));

function readUnit(name) {
  const text = inMachine(readFileSync(join(MACHINE, 'etc/systemd/system', `${name}.service`), 'utf8'));
  return (key) => new RegExp(`^${key}=(.*)$`, 'm').exec(text)?.[1];
}

function startUnit(name) {
  const unit = readUnit(name);
  const environment = settingsIn(unit('Environment'));
  const file = settingsIn(readFileSync(unit('EnvironmentFile'), 'utf8'));
  const ids = SERVICE_USER ? ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, SERVICE_USER]))) : null;
  const folder = join(MACHINE, 'var/lib', unit('StateDirectory'));
  mkdirSync(folder, { recursive: true, mode: Number.parseInt(unit('StateDirectoryMode'), 8) });
  if (ids) chownSync(folder, ...ids);
  const [program, ...args] = unit('ExecStart').split(' ');
  if (program !== '/usr/bin/node') throw new Error(`${program} is not the program that the page names`);
  process.umask(Number.parseInt(unit('UMask'), 8));
  const log = openSync(join(MACHINE, 'var/log', `${name}.log`), 'a');
  const child = spawn(process.execPath, args, {
    cwd: unit('WorkingDirectory'),
    // The port is the only setting that the page does not name.
    env: { PATH, ...environment, ...file, PORT: GATEWAY_PORT },
    detached: true,
    stdio: ['ignore', log, log],
    ...(ids && { uid: ids[0], gid: ids[1] }),
  });
  child.unref();
  writeFileSync(pidFile(name), `${child.pid}\n`);
}

/** Whether a process exists that has not ended. */
function isRunning(pid) {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' }).startsWith('Z');
  } catch {
    return false;
  }
}

const pidOf = (name) => (existsSync(pidFile(name)) ? readFileSync(pidFile(name), 'utf8').trim() : null);

async function stop(name) {
  const pid = pidOf(name);
  if (!pid || !isRunning(pid)) return;
  process.kill(Number(pid), 'SIGTERM');
  for (const started = Date.now(); isRunning(pid); await wait(50)) {
    if (Date.now() - started > STOP_TIMEOUT_MS) throw new Error(`${name} has not ended`);
  }
  rmSync(pidFile(name), { force: true });
}

function start(name) {
  if (name === 'colloquy') startUnit(name);
  else if (existsSync('/usr/sbin/nginx')) execFileSync(join(import.meta.dirname, 'bin/nginx'));
  else {
    const terminator = join(import.meta.dirname, 'tls-terminator.mjs');
    const child = spawn(process.execPath, [terminator], { detached: true, stdio: 'ignore' });
    child.unref();
    writeFileSync(pidFile(name), `${child.pid}\n`);
  }
}

for (const name of names) {
  if (verb === 'stop') await stop(name);
  else if (verb === 'start' || verb === 'enable') start(name);
  else if (verb === 'restart' || verb === 'reload') {
    if (verb === 'reload' && name === 'nginx' && existsSync('/usr/sbin/nginx')) {
      execFileSync(join(import.meta.dirname, 'bin/nginx'), ['-s', 'reload']);
      continue;
    }
    await stop(name);
    start(name);
  } else throw new Error(`systemctl ${verb} is not implemented`);
}
