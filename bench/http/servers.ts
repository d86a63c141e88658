import { readFileSync } from 'node:fs';
import { freePort } from '../../test/support/free-port.ts';
import { BUILT, GATEWAY } from '../build.ts';
import { VIEWERS, viewerId } from '../data.ts';
import { type Program, run, untilReady } from '../process.ts';
import { GATEWAY_ENV, SECRETS } from '../settings.ts';

export interface Server extends Program {
  url: string;
}

interface Starting {
  /** URI of the store. */
  uri: string;
  /** URL that answers 200 when the server is ready. */
  ready: string;
  /** Headers of that request. */
  headers?: Record<string, string>;
  env?: Record<string, string>;
  /** @default a free port */
  port?: number;
}

/** Starts one of the built servers on a free port and waits until it is ready. */
export async function startServer(
  file: string,
  { uri, ready, headers, env = {}, ...given }: Starting,
): Promise<Server> {
  const port = given.port ?? (await freePort());
  const program = run(file, { ...GATEWAY_ENV, ...env, MONGODB_URI: uri, PORT: String(port) });
  const url = `http://127.0.0.1:${port}`;
  await untilReady(`${url}${ready}`, program, headers);
  return { ...program, url };
}

export const startGateway = (uri: string, env: Record<string, string> = {}): Promise<Server> =>
  startServer(GATEWAY, { uri, ready: '/readyz', env });
export const startHandWritten = (uri: string): Promise<Server> =>
  startServer(`${BUILT}hand-written.js`, { uri, ready: '/readyz' });

/** The gateway, which does not index new records for search. */
export const startGatewayWithoutIndex = (uri: string): Promise<Server> =>
  startServer(GATEWAY, { uri, ready: '/readyz', env: { NODE_OPTIONS: `--import=${BUILT}without-index.js` } });

/** Sessions of the viewers, created through the gateway; all servers read them from the store. */
export async function signIn(url: string): Promise<string[]> {
  return Promise.all(
    Array.from({ length: VIEWERS }, async (_, index) => {
      const response = await fetch(`${url}/api/v5/sessions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': SECRETS.API_KEY },
        body: JSON.stringify({ userId: viewerId(index), deviceId: `bench-${index}` }),
      });
      const { accessToken } = (await response.json()) as { accessToken?: string };
      if (!accessToken) throw new Error(`${viewerId(index)} could not sign in: ${response.status}`);
      return accessToken;
    }),
  );
}

/** The process and its workers, of which there must be `count`. */
export async function processesOf({ pid }: Server, count: number): Promise<number[]> {
  for (let look = 0; look < 300; look += 1) {
    const workers = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
    if (workers.length === count) return [pid, ...workers];
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The gateway did not start ${count} workers.`);
}
