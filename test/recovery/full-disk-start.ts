/**
 * Starts a built gateway in a new data folder on a small, full disk, and again once there is space. Prints for each
 * number of free KiB how both starts ended.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const [main, disk, ...free] = process.argv.slice(2) as [string, string, ...string[]];
const ballast = join(disk, 'ballast');

/** Fills the disk except for this many KiB. */
function fill(leftKib: number): void {
  const file = openSync(ballast, 'w');
  const block = Buffer.alloc(4096);
  for (let { bavail, bsize } = statfsSync(disk); bavail * bsize > leftKib * 1024; { bavail, bsize } = statfsSync(disk))
    writeSync(file, block);
  closeSync(file);
}

/** The exit of the process, and whether it was ready before. */
async function start(data: string): Promise<{ end: string; errors: string }> {
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: data,
    PORT: '0',
    NODE_ENV: 'test',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'info',
  };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, errors] = ['', ''];
  let isAsked = false;
  let status = 0;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    const url = /Server listening at (http:[^"]+)/.exec(output)?.[1];
    if (!url || isAsked) return;
    isAsked = true;
    void fetch(`${url}/readyz`).then((answer) => {
      status = answer.status;
      child.kill('SIGTERM');
    });
  });
  const [code, signal] = await once(child, 'close');
  return { end: signal ?? (isAsked ? `ready ${status}, ${code}` : `refused, ${code}`), errors };
}

for (const left of free) {
  const data = join(disk, `data-${left}`);
  fill(Number(left));
  const full = await start(data);
  rmSync(ballast);
  const later = await start(data);
  process.stdout.write(`${JSON.stringify({ left, full, later })}\n`);
  execFileSync('rm', ['-rf', data]);
}
