import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Knows the connections on which nothing was asked yet, which clients open in advance: the server counts them as busy,
 * and would wait for them when it closes.
 *
 * @returns closes them
 */
export function trackQuietConnections(server: Server): () => void {
  const quiet = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    quiet.add(socket);
    socket.once('close', () => quiet.delete(socket));
  });
  const asks = ({ socket }: { socket: Socket }) => void quiet.delete(socket);
  server.on('request', asks);
  server.on('upgrade', asks);
  return () => {
    for (const socket of quiet) socket.destroy();
  };
}
