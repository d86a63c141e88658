import { connect, createServer, type Socket } from 'node:net';

/** One address in front of several servers, where connections are cut and delayed. */
export interface TcpProxy {
  url: string;
  /** Breaks one connection, whichever. */
  cutOne(): void;
  close(): Promise<void>;
}

interface Pair {
  client: Socket;
  server: Socket;
}

/**
 * Each connection goes to one of the ports, to the next one when nobody listens there.
 * @param maxDelayMs each connection is as slow as chance will have it, up to this in each direction
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
        // Timers of one length end in the order in which they began.
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
