import { createServer } from 'node:net';

/**
 * A free TCP port that no other program gets meanwhile, also while the server on it restarts: below the ports that
 * systems choose themselves for outgoing connections and for servers without a fixed port.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
