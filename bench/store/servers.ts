import { mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUILT } from '../build.ts';
import { ownMb, type Program, residentMb, run } from '../process.ts';

export interface Server extends Program {
  uri: string;
  /** Milliseconds from the start until it accepts connections. */
  openMs: number;
}

export const startStore = (folder: string, durability: 'flushed' | 'memory' = 'flushed'): Promise<Server> =>
  start('store.js', {
    ...{ STORE_FOLDER: folder, STORE_DURABILITY: durability },
    ...(process.env.RSS_TARGET_MB && { RSS_TARGET_MB: process.env.RSS_TARGET_MB }),
  });

/** All pages of the file stay mapped while it is filled. */
const FILLING = { RSS_TARGET_MB: '65536', STORE_DURABILITY: 'memory' };

/**
 * Runs `work` over a store with records, in a temporary folder. They are written faster than a store that serves requests
 * would write them, and are on disk before it starts.
 *
 * @param write writes the records, and returns their number
 */
export async function withFilledStore<Result>(
  write: (uri: string) => Promise<number>,
  work: (store: Server, written: number) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-bench-'));
  try {
    const filling = await start('store.js', { STORE_FOLDER: folder, ...FILLING });
    const written = await write(filling.uri).finally(() => filling.stop());
    await syncFiles(folder);
    const store = await startStore(folder);
    return await work(store, written).finally(() => store.stop());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function syncFiles(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = await open(join(entry.parentPath, entry.name));
    await file.sync().finally(() => file.close());
  }
}

export const startEcho = (): Promise<Server> => start('echo.js', {});

async function start(program: string, env: Record<string, string>): Promise<Server> {
  const running = run(`${BUILT}${program}`, env);
  const message = (await Promise.race([running.message, running.failed])) as Pick<Server, 'uri' | 'openMs'>;
  return { ...running, ...message };
}

export interface Memory {
  when: string;
  /** The process's own pages, in MB. */
  ownMb: number;
  /** All that is resident, with the pages of the file that are mapped. */
  residentMb: number;
}

/** The memory of a process once it has calmed down. */
export async function memoryOf(when: string, { pid }: Server): Promise<Memory> {
  await new Promise((resolve) => setTimeout(resolve, 500));
  return { when, ownMb: ownMb(pid), residentMb: residentMb(pid) };
}
