import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { vi } from 'vitest';
import { freePort } from './free-port.ts';

export interface SpawnedGateway {
  url: string;
  port: number;
  child: ChildProcess;
  /** Standard error of the process so far. */
  errors(): string;
  /** Exit code and signal. */
  ended: Promise<[code: number | null, signal: NodeJS.Signals | null]>;
  /** Kills the process with SIGKILL. */
  kill(): Promise<void>;
}

export interface SpawnOptions {
  /** The built `main.js`. */
  file: string;
  /** Its environment, without `PATH` and `PORT`. */
  env: NodeJS.ProcessEnv;
  /** @default a free one */
  port?: number | undefined;
  /** @default the folder of the tests */
  cwd?: string | undefined;
}

/** Starts the built program as a process and waits until it is ready. */
export async function spawnGateway({ file, env, port, cwd }: SpawnOptions): Promise<SpawnedGateway> {
  const taken = port ?? (await freePort());
  const child = spawn(process.execPath, [file], {
    env: { PATH: process.env.PATH, ...env, PORT: String(taken) },
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd,
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = once(child, 'close') as SpawnedGateway['ended'];
  const url = `http://127.0.0.1:${taken}`;
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const isReady = async () => {
    if (hasEnded()) throw new Error(`The gateway has ended: ${errors}`);
    return fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  };
  await vi.waitUntil(isReady, { timeout: 200_000, interval: 20 });
  return {
    url,
    port: taken,
    child,
    errors: () => errors,
    ended,
    async kill() {
      if (!hasEnded()) child.kill('SIGKILL');
      await ended;
    },
  };
}
