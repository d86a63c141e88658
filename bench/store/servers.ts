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
