import type { IncomingMessage } from 'node:http';
import websocket from '@fastify/websocket';
import type { FastifyInstance, FastifyRequest } from 'fastify';
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
    maxPayload: LIVE_LIMITS.payload,
    maxFragments: LIVE_LIMITS.fragments,
    maxBufferedChunks: LIVE_LIMITS.chunks,
    closeTimeout: LIVE_LIMITS.closeMs,
    perMessageDeflate: false,
    handleProtocols: selectProtocol,
  };
  await server.register(websocket, { options, preClose: closeSockets, errorHandler: endSocket });
  server.addHook('onRequest', (request, _reply, done) => {
    if (!request.ws || request.is404 || request.routeOptions.config.acceptsWebsockets) return done();
    throw new OperationError('BAD_REQUEST', {
      message: 'This path does not accept WebSockets; connect to /graphql or /mqtt.',
    });
  });
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

/** Ends a socket after an error. Invalid or oversized frames and broken connections are logged as information. */
function endSocket(error: Error & { code?: string }, socket: WebSocket, request: FastifyRequest): void {
  const isClientError = /^(WS_ERR_|ECONN|EPIPE)/.test(error.code ?? '');
  request.log[isClientError ? 'info' : 'error']({ err: error }, 'a WebSocket was ended');
  socket.terminate();
}
