import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { CONNECTION_LIMITS, HTTP_LIMITS } from '../limits.ts';
import { clientKeyOf } from './client-key.ts';
import { acceptedBytes, type Connection, unsentBytes } from './connection.ts';
import { excessOf } from './excess.ts';
import { plainAddress } from './trusted-proxies.ts';

/** Why a connection is ended, for the log. */
export type EndReason = 'slow reader' | 'unsent bytes' | 'slow request' | 'idle' | 'pipelined requests';

/** The number of ended connections by reason. */
export type EndedConnections = Partial<Record<EndReason, number>>;

/** Why connections are refused. */
export type RefusalReason = 'perAddress' | 'total';

export interface ConnectionGuardOptions {
  /** Maximum connections of one client; 0 for no limit. */
  perAddress: number;
  /** Maximum connections of all clients and proxies. */
  total: number;
  /** Whether an address is a reverse proxy, whose connections are not counted. */
  isProxy(address: string): boolean;
  /** Whether a request may take as long as an upload to arrive. */
  isUpload(request: IncomingMessage): boolean;
  /** The complete HTTP responses to connections beyond `perAddress` and beyond `total`. */
  refusals: Record<RefusalReason, string>;
  /** Called when connections were ended. */
  onEnded(ended: EndedConnections): void;
  /** Called for each connection that was refused. */
  onRefused(reason: RefusalReason, client: string): void;
}

/**
 * Ends the connections of clients that read or write too slowly. Limits connections and unsent bytes, per client and in
 * total.
 */
export interface ConnectionGuard {
  /** Wraps a handler: pipelined requests of a connection are handled one after another. */
  oneAtATime(handler: RequestListener): RequestListener;
  /** Watches the connections of a server. */
  watch(server: Server): void;
  /** Names the client of a connection behind a proxy. */
  setClient(socket: Socket, address: string): void;
  /** Names the session whose requests a connection carries. */
  setSession(socket: Socket, session: string | null): void;
  /** Counts the bytes of an answer that is about to be sent, so that large ones are checked before the next sweep. */
  countAnswer(bytes: number): void;
  /** Whether an answer on this connection has started, so that no other one may be written. */
  isAnswering(socket: Socket): boolean;
  close(): void;
}

/** How often all connections are checked. */
const SWEEP_MS = 1_000;

export function createConnectionGuard(options: ConnectionGuardOptions): ConnectionGuard {
  const connections = new Map<Socket, Connection>();
  const perAddress = new Map<string, number>();
  /** Bytes of answers since the last check of unsent bytes. */
  let answeredBytes = 0;
  let isCheckDue = false;

  function open(socket: Socket): void {
    const client = clientKeyOf(socket.remoteAddress);
    const isCounted = !options.isProxy(plainAddress(socket.remoteAddress));
    const count = (perAddress.get(client) ?? 0) + 1;
    const isBeyond = isCounted && options.perAddress > 0 && count > options.perAddress;
    const refused = connections.size >= options.total ? 'total' : isBeyond ? 'perAddress' : null;
    if (refused) {
      options.onRefused(refused, client);
      // Do not wait until the client closes its side.
      socket.end(options.refusals[refused], () => socket.destroy());
      return;
    }
    if (isCounted) perAddress.set(client, count);
    const now = performance.now();
    const connection: Connection = {
      socket,
      address: socket.remoteAddress,
      client,
      session: null,
      current: null,
      waiting: [],
      isUpgraded: false,
      idleSince: now,
      progress: 0,
      progressAt: now,
      drained: 0,
      drainedAt: now,
      received: 0,
      receivedAt: now,
    };
    connections.set(socket, connection);
    socket.once('close', () => {
      connections.delete(socket);
      connection.waiting.length = 0;
      if (!isCounted) return;
      const left = perAddress.get(client)! - 1;
      if (left === 0) perAddress.delete(client);
      else perAddress.set(client, left);
    });
  }

  function oneAtATime(handler: RequestListener): RequestListener {
    function begin(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
      const now = performance.now();
      connection.current = { request, response, startedAt: now };
      connection.received = connection.socket.bytesRead;
      connection.receivedAt = now;
      response.once('close', () => {
        connection.current = null;
        connection.idleSince = performance.now();
        // In a later iteration of the event loop, so that other connections are served in between.
        if (connection.waiting.length > 0) setImmediate(() => beginNext(connection));
      });
      handler(request, response);
    }
    function beginNext(connection: Connection): void {
      const next = connection.waiting.shift();
      if (next) begin(connection, next.request, next.response);
    }
    return (request, response) => {
      const connection = connections.get(request.socket);
      // The connection was refused, or has closed since.
      if (!connection) return void request.socket.destroy();
      const { current, waiting, socket } = connection;
      if (!current && waiting.length === 0) return begin(connection, request, response);
      if (waiting.length < CONNECTION_LIMITS.pipelined) {
        waiting.push({ request, response, startedAt: performance.now() });
        return;
      }
      socket.destroy();
      options.onEnded({ 'pipelined requests': 1 });
    };
  }

  function sweep(): void {
    const now = performance.now();
    const ended: EndedConnections = {};
    for (const connection of connections.values()) {
      const reason = endReasonOf(connection, now, options.isUpload);
      if (!reason) continue;
      ended[reason] = (ended[reason] ?? 0) + 1;
      if (reason === 'slow request') endSlowRequest(connection);
      else connection.socket.destroy();
    }
    const excess = boundUnsent();
    if (excess > 0) ended['unsent bytes'] = excess;
    if (Object.keys(ended).length > 0) options.onEnded(ended);
  }

  /** @returns how many connections it ended */
  function boundUnsent(): number {
    answeredBytes = 0;
    const excess = excessOf(connections.values());
    for (const { socket } of excess) socket.destroy();
    return excess.length;
  }

  const timer = setInterval(sweep, SWEEP_MS);
  timer.unref();
  return {
    oneAtATime,
    watch(server) {
      // Before the listener of the HTTP parser, which would wait for a request on a refused connection.
      server.prependListener('connection', open);
      server.on('upgrade', ({ socket }: IncomingMessage) => {
        const connection = connections.get(socket);
        if (!connection) return;
        connection.isUpgraded = true;
        // The connection still belongs to a response, and nothing else would end it.
        if (connection.current || connection.waiting.length > 0) socket.destroy();
      });
    },
    setClient(socket, address) {
      const connection = connections.get(socket);
      if (!connection) return;
      if (connection.address !== address) {
        connection.address = address;
        connection.client = clientKeyOf(address);
      }
      connection.session = null;
    },
    setSession(socket, session) {
      const connection = connections.get(socket);
      if (connection) connection.session = session;
    },
    countAnswer(bytes) {
      answeredBytes += bytes;
      if (answeredBytes < CONNECTION_LIMITS.unsentPerClient / 4 || isCheckDue) return;
      isCheckDue = true;
      setImmediate(() => {
        isCheckDue = false;
        const ended = boundUnsent();
        if (ended > 0) options.onEnded({ 'unsent bytes': ended });
      });
    },
    isAnswering: (socket) => connections.get(socket)?.current?.response.headersSent ?? false,
    close: () => clearInterval(timer),
  };
}

type IsUpload = ConnectionGuardOptions['isUpload'];

/** The reason to end a connection now; null when there is none. */
function endReasonOf(connection: Connection, now: number, isUpload: IsUpload): EndReason | null {
  const { current, waiting, isUpgraded } = connection;
  if (isSlowReader(connection, now)) return 'slow reader';
  if (isUpgraded) return null;
  if (!current) {
    // Node closes idle connections and incomplete headers itself. Empty lines between requests escape its timers: they
    // count as activity, but begin no request.
    const { keepAliveMs, headersMs } = CONNECTION_LIMITS;
    const isIdle = waiting.length === 0 && now - connection.idleSince > keepAliveMs + 2 * headersMs;
    return isIdle ? 'idle' : null;
  }
  return isSlowRequest(connection, now, isUpload) ? 'slow request' : null;
}

/** Whether the peer accepts none of its unsent bytes, or so few that sending them all would take hours. */
function isSlowReader(connection: Connection, now: number): boolean {
  const taken = acceptedBytes(connection);
  const isWaiting = unsentBytes(connection) > 0;
  if (!isWaiting || taken !== connection.progress) {
    connection.progress = taken;
    connection.progressAt = now;
  }
  const { drainBytes, drainMs, writeMs } = CONNECTION_LIMITS;
  if (!isWaiting || taken - connection.drained >= drainBytes) {
    connection.drained = taken;
    connection.drainedAt = now;
  }
  return now - connection.progressAt > writeMs || now - connection.drainedAt > drainMs;
}

function isSlowRequest(connection: Connection, now: number, isUpload: IsUpload): boolean {
  const { request, startedAt } = connection.current!;
  if (request.complete || request.destroyed) return false;
  const { bytesRead } = connection.socket;
  // While the gateway itself reads slowly, the client cannot send.
  const isHeldBack = request.readableLength >= request.readableHighWaterMark;
  if (isHeldBack || bytesRead - connection.received >= CONNECTION_LIMITS.bodyProgress) {
    connection.received = bytesRead;
    connection.receivedAt = now;
  }
  if (now - connection.receivedAt > CONNECTION_LIMITS.bodyMs) return true;
  return now - startedAt > (isUpload(request) ? CONNECTION_LIMITS.uploadMs : HTTP_LIMITS.requestMs);
}

/** Ends a request as Node does when it exceeds a time-out of the server. */
function endSlowRequest({ socket, current }: Connection): void {
  const server = (socket as Socket & { server?: Server }).server;
  const error = Object.assign(new Error('The request body arrives too slowly.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  if (server && !current?.response.headersSent) server.emit('clientError', error, socket);
  socket.destroy();
}
