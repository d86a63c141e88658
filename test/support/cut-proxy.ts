import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from './free-port.ts';

/** A TCP proxy in front of a gateway that breaks connections on demand. */
export interface CutProxy {
  url: string;
  /** Breaks the open connections and refuses new ones. */
  cut(): Promise<void>;
  /** Accepts connections again, at the same address. */
  restore(): Promise<void>;
}

export async function startCutProxy(target: string): Promise<CutProxy> {
  const { port: targetPort } = new URL(target);
  const open = new Set<Socket>();
  let listener: Server;
  const port = await freePort();

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

  async function restore(): Promise<void> {
    listener = createServer(serve);
    await new Promise<void>((listening, failed) => {
      listener.once('error', failed);
      listener.listen(port, '127.0.0.1', listening);
    });
  }

  await restore();
  return {
    url: `http://127.0.0.1:${port}`,
    restore,
    async cut() {
      const closed = new Promise((done) => listener.close(done));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
