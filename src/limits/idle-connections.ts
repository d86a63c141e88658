import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Tracks connections that have not carried a request yet, which clients open in advance. The server counts them as busy
 * and would wait for them when it closes.
 *
 * @returns a function that closes them
 */
export function trackIdleConnections(server: Server): () => void {
  const idle = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    idle.add(socket);
    socket.once('close', () => idle.delete(socket));
  });
  const markUsed = ({ socket }: { socket: Socket }) => void idle.delete(socket);
  server.on('request', markUsed);
  server.on('upgrade', markUsed);
  return () => {
    for (const socket of idle) socket.destroy();
  };
}
