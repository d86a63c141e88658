import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { type ClientSession, type Document, MongoNetworkError } from 'mongodb';
import { isBrokenSocket } from '../database-errors.ts';

/** What is used of the driver's inner classes. */
interface Connection {
  socket: Socket;
  onError(error: Error): void;
  writeCommand(...command: unknown[]): Promise<void>;
}

interface Server {
  decorateCommandError(
    connection: Connection,
    command: Document,
    options: CommandOptions | undefined,
    error: unknown,
  ): unknown;
}

interface CommandOptions {
  session?: ClientSession & { isPinned: boolean; unpin(options: { force: boolean }): void };
}

/**
 * Mends two faults of the driver, seen in 7.9, so that what was under way on a broken connection fails in the way that
 * its callers know to repeat. `test/failure/connections.test.ts` and `test/recovery/kill-9.test.ts` show whether this
 * is still needed.
 */
export function repairDriver(): void {
  const inner = createRequire(import.meta.url);
  const { Connection } = inner('mongodb/lib/cmap/connection.js') as { Connection: { prototype: Connection } };
  const { Server } = inner('mongodb/lib/sdam/server.js') as { Server: { prototype: Server } };
  if (repaired.has(Connection)) return;
  repaired.add(Connection);
  if (typeof Connection.prototype.writeCommand === 'function') repairWriting(Connection.prototype);
  if (typeof Server.prototype.decorateCommandError === 'function') repairLabels(Server.prototype);
}

/**
 * When many connections break at once, the driver labels the first error alone as one to repeat: by then the others'
 * connections count as stale. This gives each the labels of the first.
 */
function repairLabels(prototype: Server): void {
  const { decorateCommandError } = prototype;
  prototype.decorateCommandError = function (this: Server, connection, command, options, error) {
    const decorated = decorateCommandError.call(this, connection, command, options, error);
    if (!(decorated instanceof MongoNetworkError)) return decorated;
    const session = options?.session;
    const endsTransaction = 'commitTransaction' in command || 'abortTransaction' in command;
    const isInTransaction = session?.inTransaction() === true && !endsTransaction;
    // Only what the driver may repeat is repeated, whatever the label; a server that cannot has no transactions either.
    decorated.addErrorLabel(isInTransaction ? 'TransientTransactionError' : 'RetryableWriteError');
    if (isInTransaction && session.isPinned) session.unpin({ force: true });
    return decorated;
  };
}

/**
 * `Connection.writeCommand` waits for `drain` or `error` when `socket.write` returns false, and not for `close`. When the
 * peer closes in order (a Unix socket, or FIN over TCP), Node destroys the socket some turns of the event loop before it
 * emits `close`, and no `error`. A command that is written in between never settles and keeps its place in the pool. One
 * that is written between `end` and the destruction fails with the socket's own error, which the driver does not
 * retry, and on which its `commitTransaction` fails with a TypeError. With this patch both fail like any other command on
 * a broken connection. A reset (RST) emits `error` at once and has neither fault, but Unix sockets have no resets.
 */
function repairWriting(prototype: Connection): void {
  const { writeCommand } = prototype;
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
