import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP address in front of a gateway, at which connections break on demand. */
export interface CutProxy {
  url: string;
  /** Takes no connections any more and breaks the open ones. */
  cut(): Promise<void>;
  /** Takes connections again, at the same address. */
  mend(): Promise<void>;
}

export async function startCutProxy(target: string): Promise<CutProxy> {
  const { port: targetPort } = new URL(target);
  const open = new Set<Socket>();
  let listener: Server;
  let port = 0;

  function serve(client: Socket): void {
    const server = connect(Number(targetPort), '127.0.0.1');
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }

  async function mend(): Promise<void> {
    listener = createServer(serve);
    await new Promise<void>((listening, failed) => {
      listener.once('error', failed);
      listener.listen(port, '127.0.0.1', listening);
    });
    port = (listener.address() as { port: number }).port;
  }

  await mend();
  return {
    url: `http://127.0.0.1:${port}`,
    mend,
    async cut() {
      const closed = new Promise((done) => listener.close(done));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
