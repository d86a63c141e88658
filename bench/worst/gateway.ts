import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../src/store/store.ts';
import { freePort } from '../../test/support/free-port.ts';
import { GATEWAY } from '../build.ts';
import { NETWORK_ID, viewerId } from '../data.ts';
import { fill } from '../http/reads.ts';
import { run, untilIdle, untilReady } from '../process.ts';
import { type Scale, SECRETS } from '../settings.ts';
import { startStore } from '../store/servers.ts';
import { writeHeavyRecords } from './heavy-records.ts';

/** What the process of the gateway used so far. */
export interface Usage {
  /** Longest block of the event loop since the last reset. */
  blockMs: number;
  /** Of all threads, the store's too. */
  cpuMs: number;
  residentMb: number;
}

export interface MeasuredGateway {
  url: string;
  token: string;
  usage(message?: 'reset' | 'collect'): Promise<Usage>;
  close(): Promise<void>;
}

/** The gateway with its embedded store in a process of its own, over the records of the other benchmarks and long ones. */
export async function startMeasuredGateway(scale: Scale): Promise<MeasuredGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-bench-'));
  await fillFolder(join(folder, 'store'), scale);
  const port = await freePort();
  const program = run(GATEWAY, {
    ...SECRETS,
    // Suggestions and introspection cost more than their absence.
    NODE_ENV: 'development',
    SECURE_MODE: 'false',
    RATE_LIMITS: 'off',
    NETWORK_ID,
    SAMPLE_DATA: 'none',
    LOG_LEVEL: 'error',
    DATA_DIR: folder,
    PORT: String(port),
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${new URL('monitor.mjs', import.meta.url)}`,
  });
  const url = `http://127.0.0.1:${port}`;
  await untilReady(`${url}/readyz`, program);
  await untilIdle(program);
  const close = async () => {
    await program.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return {
    url,
    token: await signIn(url),
    usage: (message) => program.request(message ?? 'read') as Promise<Usage>,
    close,
  };
}

async function fillFolder(folder: string, scale: Scale): Promise<void> {
  const server = await startStore(folder);
  try {
    await fill(server.uri, scale);
    const store = await openStore({ uri: server.uri });
    await writeHeavyRecords(store.collections);
    await store.close();
  } finally {
    await server.stop();
  }
}

async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/api/v5/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': SECRETS.API_KEY },
    body: JSON.stringify({ userId: viewerId(0), deviceId: 'bench', displayName: 'User 0' }),
  });
  const { accessToken } = (await response.json()) as { accessToken: string };
  return accessToken;
}
