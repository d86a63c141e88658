import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface Program {
  pid: number;
  /** The first message to its parent, if any. */
  message: Promise<unknown>;
  /** Sends a message; resolves to the next one received. */
  request(message: string): Promise<unknown>;
  /** Rejects if the process ends before it is stopped. */
  failed: Promise<never>;
  stop(): Promise<void>;
  /** Kills the process like a crash. */
  kill(): Promise<void>;
}

const running = new Set<ChildProcess>();
/** Ids of all programs of the bench that run, of which most are idle during a measurement. */
export const runningPids = (): number[] => [...running].map(({ pid }) => pid!);

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Runs a built program in a separate process; its output is shown only if it fails.
 *
 * @param node the program of Node.js; @default that of this process
 */
export function run(file: string, env: Record<string, string>, node = process.execPath): Program {
  const child = spawn(node, [file], {
    // Flags such as --max-semi-space-size are passed on; no other settings of the caller are.
    env: { PATH: process.env.PATH, NODE_OPTIONS: process.env.NODE_OPTIONS, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk) => (output = (output + chunk).slice(-4_000)));
  let isStopping = false;
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const failed = exited.then(() => {
    if (!isStopping) throw new Error(`${file} ended by itself:\n${output}`);
    return new Promise<never>(() => undefined);
  });
  failed.catch(() => undefined);
  running.add(child);
  child.once('exit', () => running.delete(child));
  return {
    pid: child.pid!,
    message: new Promise((resolve) => child.once('message', resolve)),
    request: (message) => {
      const answer = new Promise((resolve) => child.once('message', resolve));
      child.send(message);
      return Promise.race([answer, failed]);
    },
    failed,
    async stop() {
      isStopping = true;
      await stopped(child, exited);
    },
    async kill() {
      isStopping = true;
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function stopped(child: ChildProcess, exited: Promise<void>): Promise<void> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await exited;
  clearTimeout(timer);
}

/** Generous for a busy machine. */
const READY_WITHIN_MS = 120_000;

/** Polls `url` until it answers 200; resolves to the milliseconds this took. */
export async function untilReady(
  url: string,
  program: Pick<Program, 'failed'>,
  headers: Record<string, string> = {},
): Promise<number> {
  const startedAt = performance.now();
  const poll = async () => {
    while (performance.now() - startedAt < READY_WITHIN_MS) {
      const response = await fetch(url, { headers }).catch(() => null);
      await response?.arrayBuffer();
      if (response?.status === 200) return performance.now() - startedAt;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    throw new Error(`${url} did not answer within ${READY_WITHIN_MS / 1_000} s`);
  };
  return Promise.race([poll(), program.failed]);
}

/** Waits until a program has finished the work after its start, such as compiling; at most half a minute. */
export async function untilIdle({ pid }: Pick<Program, 'pid'>): Promise<void> {
  for (let look = 0; look < 60; look += 1) {
    const before = processorMs(pid);
    await new Promise((resolve) => setTimeout(resolve, 500));
    if (!(processorMs(pid) - before > 25)) return;
  }
}

/** Resident memory in MB; NaN where the system does not report it. */
export const residentMb = (pid: number): number => memoryOf(pid, 'VmRSS');

/** Resident memory without mapped files, which the system can reclaim; MB. */
export const ownMb = (pid: number): number => memoryOf(pid, 'RssAnon');

function memoryOf(pid: number, what: 'VmRSS' | 'RssAnon'): number {
  try {
    return Number(new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

/** Processor time used so far in milliseconds, to 10 ms; NaN where the system does not report it. */
export function processorMs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Number.NaN;
  }
}
