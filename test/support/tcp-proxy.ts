import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy in front of several servers that delays and breaks connections. */
export interface TcpProxy {
  url: string;
  /** Breaks one connection. */
  cutOne(): void;
  close(): Promise<void>;
}

interface Pair {
  client: Socket;
  server: Socket;
}

/**
 * Forwards each connection to one of the ports, or to the next if no server listens on it.
 *
 * @param maxDelayMs each connection has a random delay of at most this in each direction
 */
export async function startTcpProxy(
  ports: readonly number[],
  { maxDelayMs }: { maxDelayMs: number },
): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  let turns = 0;

  const listener = createServer((client) => {
    turns += 1;
    reach(client, turns, ports.length);
  });

  function reach(client: Socket, turn: number, attempts: number): void {
    const server = connect({ host: '127.0.0.1', port: ports[turn % ports.length]! });
    client.on('error', () => undefined);
    server.on('error', () => undefined);
    const refused = () => (attempts > 1 ? reach(client, turn + 1, attempts - 1) : client.destroy());
    server.once('error', refused);
    server.once('connect', () => {
      server.off('error', refused);
      join({ client, server });
    });
  }

  function join(pair: Pair): void {
    pairs.add(pair);
    const delayMs = Math.random() < 0.5 ? 0 : Math.ceil(Math.random() * maxDelayMs);
    const ends = [
      [pair.client, pair.server],
      [pair.server, pair.client],
    ] as const;
    for (const [from, to] of ends) {
      from.on('data', (bytes) => {
        if (delayMs === 0) to.write(bytes);
        // Timers of the same duration end in the order in which they started, so the bytes stay in order.
        else setTimeout(() => to.destroyed || to.write(bytes), delayMs);
      });
      from.once('close', () => destroy(pair));
    }
  }

  function destroy(pair: Pair): void {
    pairs.delete(pair);
    pair.client.destroy();
    pair.server.destroy();
  }

  await new Promise<void>((listening) => listener.listen(0, '127.0.0.1', listening));
  const { port } = listener.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    cutOne() {
      const all = [...pairs];
      const one = all[Math.floor(Math.random() * all.length)];
      if (one) destroy(one);
    },
    async close() {
      const closed = new Promise((done) => listener.close(done));
      for (const pair of pairs) destroy(pair);
      await closed;
    },
  };
}
