import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { MongoNetworkError } from 'mongodb';
import { isBrokenSocket } from '../unavailable.ts';

/** What is used of the driver's inner class. */
interface Connection {
  socket: Socket;
  onError(error: Error): void;
  writeCommand(...command: unknown[]): Promise<void>;
}

const INNER_MODULE = 'mongodb/lib/cmap/connection.js';

/**
 * Mends a fault of the driver, seen in 7.9: it writes to a socket that has ended a moment ago, is told that it should
 * wait until the socket takes more, and waits for ever. The operation never settles and its place in the pool is never
 * free again, so that a few broken networks later nothing is left. Or it hands on the socket's own error, which neither
 * it nor others know to repeat, and on which its `commitTransaction` fails with a TypeError. With this such an operation
 * fails as any other on a broken connection does, and is repeated. `test/failure/connections.test.ts` and
 * `test/recovery/kill-9.test.ts` show whether it is still needed.
 */
export function repairDriver(): void {
  const inner = createRequire(import.meta.url)(INNER_MODULE) as { Connection: { prototype: Connection } };
  const { prototype } = inner.Connection;
  const { writeCommand } = prototype;
  if (repaired.has(prototype) || typeof writeCommand !== 'function') return;
  repaired.add(prototype);

  prototype.writeCommand = function (this: Connection, ...command) {
    const { socket } = this;
    if (socket.destroyed) {
      const error = new MongoNetworkError('the connection ended before the command was sent');
      this.onError(error);
      return Promise.reject(error);
    }
    if (!watched.has(socket)) {
      watched.add(socket);
      // Whoever waits to write more goes on, and finds the connection's own error.
      socket.once('close', () => socket.emit('drain'));
    }
    return writeCommand.apply(this, command).catch((error: unknown) => {
      throw isBrokenSocket(error) ? new MongoNetworkError('the connection broke', { cause: error }) : error;
    });
  };
}

const repaired = new WeakSet<object>();
const watched = new WeakSet<Socket>();
