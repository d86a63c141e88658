import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { type ClientSession, type Document, MongoNetworkError, type Timestamp } from 'mongodb';
import { isBrokenSocket } from '../database-errors.ts';
import { observeCommand } from '../observe/commands.ts';

/** The used part of the driver's internal classes. */
interface Connection {
  socket: Socket;
  onError(error: Error): void;
  writeCommand(...command: unknown[]): Promise<void>;
  command(ns: unknown, command: Document, ...options: unknown[]): Promise<unknown>;
}

interface Server {
  decorateCommandError(
    connection: Connection,
    command: Document,
    options: CommandOptions | undefined,
    error: unknown,
  ): unknown;
}

interface Topology {
  clusterTime: ClusterTime | undefined;
}

interface ClusterTime {
  clusterTime: Timestamp;
}

interface CommandOptions {
  session?: ClientSession & { isPinned: boolean; unpin(options: { force: boolean }): void };
}

/**
 * Measures commands, and works around three faults of the driver, seen in 7.9, so that commands on a broken connection
 * fail with an error that callers retry, and that the cluster time never decreases. `test/failure/connections.test.ts`,
 * `test/recovery/kill-9.test.ts` and `test/cache/cluster-time.test.ts` show whether the workarounds are still needed.
 */
export function patchDriver(): void {
  const require = createRequire(import.meta.url);
  const { Connection } = require('mongodb/lib/cmap/connection.js') as { Connection: { prototype: Connection } };
  const { Server } = require('mongodb/lib/sdam/server.js') as { Server: { prototype: Server } };
  const { Topology } = require('mongodb/lib/sdam/topology.js') as { Topology: { prototype: Topology } };
  if (patched.has(Connection)) return;
  patched.add(Connection);
  if (typeof Connection.prototype.writeCommand === 'function') patchWriteCommand(Connection.prototype);
  if (typeof Connection.prototype.command === 'function') measureCommands(Connection.prototype);
  if (typeof Server.prototype.decorateCommandError === 'function') patchErrorLabels(Server.prototype);
  patchClusterTime(Topology.prototype);
}

let isClusterTimePatched = false;

/** Whether {@link patchDriver} found the property in which the driver stores the largest cluster time. */
export function hasClusterTime(): boolean {
  return isClusterTimePatched;
}

/**
 * The driver stores the cluster time of the last reply that it has processed, while replies on different connections
 * may arrive in another order than the server sent them. With this patch it stores the largest, as its specification
 * requires.
 */
function patchClusterTime(prototype: Topology): void {
  const property = Object.getOwnPropertyDescriptor(prototype, 'clusterTime');
  if (!property?.get || !property.set) return;
  const { get, set } = property;
  Object.defineProperty(prototype, 'clusterTime', {
    ...property,
    set(this: Topology, time: ClusterTime | undefined) {
      const known = get.call(this) as ClusterTime | undefined;
      if (!known || time?.clusterTime.greaterThan(known.clusterTime)) set.call(this, time);
    },
  });
  isClusterTimePatched = true;
}

/**
 * When many connections break at the same time, the driver labels only the first error as retryable: by then the other
 * connections count as stale. With this patch every such error gets the label.
 */
function patchErrorLabels(prototype: Server): void {
  const { decorateCommandError } = prototype;
  prototype.decorateCommandError = function (this: Server, connection, command, options, error) {
    const decorated = decorateCommandError.call(this, connection, command, options, error);
    if (!(decorated instanceof MongoNetworkError)) return decorated;
    const session = options?.session;
    const endsTransaction = 'commitTransaction' in command || 'abortTransaction' in command;
    const isInTransaction = session?.inTransaction() === true && !endsTransaction;
    // The label cannot do harm: the driver retries only retryable commands, and on servers that support retries.
    decorated.addErrorLabel(isInTransaction ? 'TransientTransactionError' : 'RetryableWriteError');
    if (isInTransaction && session.isPinned) session.unpin({ force: true });
    return decorated;
  };
}

/**
 * `Connection.writeCommand` waits for `drain` or `error` when `socket.write` returns false, but not for `close`. When
 * the peer closes gracefully (a Unix socket, or FIN over TCP), Node destroys the socket some turns of the event loop
 * before it emits `close`, and emits no `error`. A command written in between never settles and keeps its place in the
 * pool. A command written between `end` and the destruction fails with the socket's own error, which the driver does
 * not retry, and on which its `commitTransaction` fails with a TypeError. With this patch both fail like any other
 * command on a broken connection. A reset (RST) emits `error` immediately and has neither fault, but Unix sockets have
 * no resets.
 */
function patchWriteCommand(prototype: Connection): void {
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
      // Resumes a writer that waits for `drain`; it then finds the connection's error.
      socket.once('close', () => socket.emit('drain'));
    }
    return writeCommand.apply(this, command).catch((error: unknown) => {
      throw isBrokenSocket(error) ? new MongoNetworkError('the connection broke', { cause: error }) : error;
    });
  };
}

/**
 * Measures every command. The driver's own command events copy each command and reply, which takes a third of the time
 * of a small command.
 */
function measureCommands(prototype: Connection): void {
  const { command: send } = prototype;
  prototype.command = function (this: Connection, ns, command, ...options) {
    return observeCommand(command, () => send.call(this, ns, command, ...options));
  };
}

const patched = new WeakSet<object>();
const watched = new WeakSet<Socket>();
