import { EventEmitter } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import websocket from '@fastify/websocket';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { handleProtocols } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { OperationError } from '../errors.ts';
import { LIVE_LIMITS } from '../limits/limits.ts';
import { flushSocket } from '../realtime/socket-outbox.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route accepts WebSocket upgrades; on all other routes they are refused. */
    acceptsWebsockets?: boolean;
  }
}

/** Accepts WebSockets on routes with `acceptsWebsockets`, and answers upgrades on all others with an HTTP error. */
export async function mountWebsockets(server: FastifyInstance): Promise<void> {
  const options = {
    server: openUpgrades(server.server) as Server,
    maxPayload: LIVE_LIMITS.payload,
    maxFragments: LIVE_LIMITS.fragments,
    maxBufferedChunks: LIVE_LIMITS.chunks,
    closeTimeout: LIVE_LIMITS.closeMs,
    perMessageDeflate: false,
    handleProtocols: selectProtocol,
  };
  const errorHandler = (error: Error, socket: WebSocket, request: FastifyRequest) =>
    endSocket(error, socket, request.log);
  await server.register(websocket, { options, preClose: closeSockets, errorHandler });
  server.addHook('onRequest', (request, reply, done) => {
    if (!request.ws) return done();
    upgradeResponses.set(request.raw, reply.raw);
    if (request.is404 || request.routeOptions.config.acceptsWebsockets) return done();
    throw new OperationError('BAD_REQUEST', {
      message: 'This path does not accept WebSockets; connect to /graphql or /mqtt.',
    });
  });
}

/**
 * Emits the upgrades of the server that are not refused yet. The plugin would assign a response to the connection of a
 * refused one, which still has that of an earlier request, and log the error.
 */
function openUpgrades(server: Server): EventEmitter {
  const upgrades = new EventEmitter();
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (!socket.destroyed) upgrades.emit('upgrade', request, socket, head);
  });
  return upgrades;
}

/** The sub-protocol of a socket: MQTT at its path, else GraphQL. Each handler closes sockets without its own. */
function selectProtocol(offered: Set<string>, { url }: IncomingMessage): string | false {
  const isMqtt = /^\/mqtt\/?(\?|$)/i.test(url ?? '');
  if (isMqtt) return offered.has(MQTT_PROTOCOL) ? MQTT_PROTOCOL : false;
  return handleProtocols(offered);
}

/** MQTT 3.1.1, section 6. */
export const MQTT_PROTOCOL = 'mqtt';

const CLOSE_MS = 1_000;

/** Closes every socket with 1001, after which client libraries reconnect. */
function closeSockets(this: FastifyInstance, done: () => void): void {
  const { clients } = this.websocketServer;
  for (const socket of clients) {
    flushSocket(socket);
    socket.close(1001, 'Going away');
  }
  // Clients that do not answer the close frame are disconnected.
  const timer = setTimeout(() => {
    for (const socket of clients) socket.terminate();
  }, CLOSE_MS);
  this.websocketServer.close(() => {
    clearTimeout(timer);
    done();
  });
}

type ErrorLog = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;

/** Ends a socket after an error. Invalid or oversized frames and broken connections are logged as information. */
function endSocket(error: Error & { code?: string }, socket: WebSocket, log: ErrorLog, fields: object = {}): void {
  const isClientError = /^(WS_ERR_|ECONN|EPIPE)/.test(error.code ?? '');
  log[isClientError ? 'info' : 'error']({ ...fields, err: error }, 'a WebSocket was ended');
  socket.terminate();
}

/** The responses to upgrade requests, which the connection refers to until {@link releaseUpgrade}. */
const upgradeResponses = new WeakMap<IncomingMessage, ServerResponse>();

/** The client of a WebSocket. */
export interface SocketPeer {
  ip: string;
  /** The connection that carries the socket. */
  stream: Socket;
  /** Id of the upgrade request, for the log. */
  reqId: string;
}

/**
 * Detaches a WebSocket from its upgrade request. Request, response, headers and logger would otherwise stay in memory as
 * long as the socket: about a third of what an idle socket takes.
 */
export function releaseUpgrade(socket: WebSocket, { raw, ip, id: reqId, server }: FastifyRequest): SocketPeer {
  upgradeResponses.get(raw)?.detachSocket(raw.socket);
  const { log } = server;
  socket.removeAllListeners('error');
  socket.on('error', (error) => endSocket(error, socket, log, { reqId }));
  return { ip, stream: raw.socket, reqId };
}
