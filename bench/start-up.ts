import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../test/support/free-port.ts';
import { GATEWAY } from './build.ts';
import { residentMb, run, untilReady } from './process.ts';
import { median } from './stats.ts';

export interface StartUp {
  name: string;
  /** From the start of the process to the first `/readyz` that answers 200, in milliseconds. */
  readyMs: number;
  residentMb: number;
}

/** `npm start` in an empty folder, which creates the sample network, and again on the existing folder. */
export async function measureStartUp(times: number): Promise<StartUp[]> {
  const first: StartUp[] = [];
  const second: StartUp[] = [];
  for (let time = 0; time < times; time++) {
    const folder = await mkdtemp(join(tmpdir(), 'colloquy-bench-'));
    try {
      first.push(await startOnce('first start, sample network created', folder));
      second.push(await startOnce('second start', folder));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return [first, second].map((starts) => ({
    name: starts[0]!.name,
    readyMs: median(starts.map((start) => start.readyMs)),
    residentMb: median(starts.map((start) => start.residentMb)),
  }));
}

async function startOnce(name: string, folder: string): Promise<StartUp> {
  const port = await freePort();
  const gateway = run(GATEWAY, { PORT: String(port), DATA_DIR: folder });
  try {
    const readyMs = await untilReady(`http://127.0.0.1:${port}/readyz`, gateway);
    // Memory after the start has settled.
    await new Promise((resolve) => setTimeout(resolve, 500));
    return { name, readyMs, residentMb: residentMb(gateway.pid) };
  } finally {
    await gateway.stop();
  }
}
