import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { CONNECTION_LIMITS, HTTP_LIMITS } from '../limits.ts';
import { type Connection, progressOf, unsentBytes } from './connection.ts';
import { excessOf } from './excess.ts';
import { plainAddress } from './trusted-proxies.ts';

/** Why connections are ended, for the log. */
export type CutReason = 'slow reader' | 'unsent bytes' | 'slow request' | 'idle' | 'pipelined requests';

export interface ConnectionGuardOptions {
  /** Connections of one address; 0: unlimited. */
  perAddress: number;
  /** Whether an address is a reverse proxy, whose connections are not counted. */
  isProxy(address: string): boolean;
  /** Whether a request may take as long as an upload to arrive. */
  isUpload(request: IncomingMessage): boolean;
  /** The whole HTTP response to a connection beyond `perAddress`. */
  refusal: string;
  /** Called once for each sweep that ended connections, and for each refused address. */
  onCut(cut: Partial<Record<CutReason, number>>): void;
  onRefused(address: string): void;
}

/** Ends the connections of clients that read or write too slowly, and bounds what each client and all may hold. */
export interface ConnectionGuard {
  /** Handles the requests of one connection one after the other. */
  oneAtATime(handler: RequestListener): RequestListener;
  /** Watches the connections of a server. */
  watch(server: Server): void;
  /** Names the client of a connection behind a proxy. */
  setClient(socket: Socket, client: string): void;
  /** Notes an answer that is about to be sent, so that bounds are checked before the next sweep. */
  noteAnswer(bytes: number): void;
  /** Whether an answer on this connection has begun: no other may be written into it. */
  isAnswering(socket: Socket): boolean;
  close(): void;
}

/** How often every connection is looked at. */
const SWEEP_MS = 1_000;

export function createConnectionGuard(options: ConnectionGuardOptions): ConnectionGuard {
  const connections = new Map<Socket, Connection>();
  const perAddress = new Map<string, number>();
  let noted = 0;
  let isCheckDue = false;

  function open(socket: Socket): void {
    const address = plainAddress(socket.remoteAddress);
    const isCounted = !options.isProxy(address);
    const count = (perAddress.get(address) ?? 0) + 1;
    if (isCounted && options.perAddress > 0 && count > options.perAddress) {
      options.onRefused(address);
      // A client that reads on after the end is not waited for.
      socket.end(options.refusal, () => socket.destroy());
      return;
    }
    if (isCounted) perAddress.set(address, count);
    const now = performance.now();
    const connection: Connection = {
      socket,
      client: address,
      current: null,
      waiting: [],
      isUpgraded: false,
      idleSince: now,
      progress: '',
      progressAt: now,
      received: 0,
      receivedAt: now,
    };
    connections.set(socket, connection);
    socket.once('close', () => {
      connections.delete(socket);
      connection.waiting.length = 0;
      if (!isCounted) return;
      const left = perAddress.get(address)! - 1;
      if (left === 0) perAddress.delete(address);
      else perAddress.set(address, left);
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
        // In a turn of its own: other connections are served in between.
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
      // Refused, or closed meanwhile.
      if (!connection) return void request.socket.destroy();
      const { current, waiting, socket } = connection;
      if (!current && waiting.length === 0) return begin(connection, request, response);
      if (waiting.length < CONNECTION_LIMITS.pipelined) {
        waiting.push({ request, response, startedAt: performance.now() });
        return;
      }
      socket.destroy();
      options.onCut({ 'pipelined requests': 1 });
    };
  }

  function sweep(): void {
    const now = performance.now();
    const cut: Partial<Record<CutReason, number>> = {};
    for (const connection of connections.values()) {
      const reason = faultOf(connection, now, options.isUpload);
      if (!reason) continue;
      cut[reason] = (cut[reason] ?? 0) + 1;
      if (reason === 'slow request') endSlowRequest(connection);
      else connection.socket.destroy();
    }
    const excess = boundUnsent();
    if (excess > 0) cut['unsent bytes'] = excess;
    if (Object.keys(cut).length > 0) options.onCut(cut);
  }

  /** @returns how many connections it ended */
  function boundUnsent(): number {
    noted = 0;
    const excess = excessOf(connections.values());
    for (const { socket } of excess) socket.destroy();
    return excess.length;
  }

  const timer = setInterval(sweep, SWEEP_MS);
  timer.unref();
  return {
    oneAtATime,
    watch(server) {
      // Before the parser's listener, which would wait for a request on a connection that is refused.
      server.prependListener('connection', open);
      server.on('upgrade', ({ socket }: IncomingMessage) => {
        const connection = connections.get(socket);
        if (connection) connection.isUpgraded = true;
      });
    },
    setClient(socket, client) {
      const connection = connections.get(socket);
      if (connection) connection.client = client;
    },
    noteAnswer(bytes) {
      noted += bytes;
      if (noted < CONNECTION_LIMITS.unsentPerClient / 4 || isCheckDue) return;
      isCheckDue = true;
      setImmediate(() => {
        isCheckDue = false;
        const ended = boundUnsent();
        if (ended > 0) options.onCut({ 'unsent bytes': ended });
      });
    },
    isAnswering: (socket) => connections.get(socket)?.current?.response.headersSent ?? false,
    close: () => clearInterval(timer),
  };
}

type IsUpload = ConnectionGuardOptions['isUpload'];

/** Why a connection is to be ended now; null: it is in order. */
function faultOf(connection: Connection, now: number, isUpload: IsUpload): CutReason | null {
  const { current, waiting, isUpgraded } = connection;
  const progress = progressOf(connection);
  if (unsentBytes(connection) === 0 || progress !== connection.progress) {
    connection.progress = progress;
    connection.progressAt = now;
  } else if (now - connection.progressAt > CONNECTION_LIMITS.writeMs) return 'slow reader';
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

function isSlowRequest(connection: Connection, now: number, isUpload: IsUpload): boolean {
  const { request, startedAt } = connection.current!;
  if (request.complete || request.destroyed) return false;
  const { bytesRead } = connection.socket;
  // While the gateway itself is slow to read, the client cannot send.
  const isHeldBack = request.readableLength >= request.readableHighWaterMark;
  if (isHeldBack || bytesRead - connection.received >= CONNECTION_LIMITS.bodyProgress) {
    connection.received = bytesRead;
    connection.receivedAt = now;
  }
  if (now - connection.receivedAt > CONNECTION_LIMITS.bodyMs) return true;
  return now - startedAt > (isUpload(request) ? CONNECTION_LIMITS.uploadMs : HTTP_LIMITS.requestMs);
}

/** As Node ends requests that exceed its own time-outs. */
function endSlowRequest({ socket, current }: Connection): void {
  const server = (socket as Socket & { server?: Server }).server;
  const error = Object.assign(new Error('The request body arrives too slowly.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  if (server && !current?.response.headersSent) server.emit('clientError', error, socket);
  socket.destroy();
}
