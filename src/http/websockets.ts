import websocket from '@fastify/websocket';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { handleProtocols } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { OperationError } from '../errors.ts';
import { LIVE_LIMITS } from '../limits/limits.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route accepts websocket upgrades; on all other routes they are refused. */
    acceptsWebsockets?: boolean;
  }
}

/** Accepts websockets on the routes that declare it and answers upgrades on any other route with an HTTP error. */
export async function mountWebsockets(server: FastifyInstance): Promise<void> {
  const options = {
    maxPayload: LIVE_LIMITS.payload,
    maxFragments: LIVE_LIMITS.fragments,
    maxBufferedChunks: LIVE_LIMITS.chunks,
    closeTimeout: LIVE_LIMITS.closeMs,
    perMessageDeflate: false,
    handleProtocols,
  };
  await server.register(websocket, { options, preClose: closeSockets, errorHandler: endSocket });
  server.addHook('onRequest', async (request) => {
    if (!request.ws || request.is404 || request.routeOptions.config.acceptsWebsockets) return;
    throw new OperationError('BAD_REQUEST', { message: 'This path accepts no websockets; connect to /graphql.' });
  });
}

const FAREWELL_MS = 1_000;

/** Tells every socket that the server goes away: the library of the clients comes back by itself. */
function closeSockets(this: FastifyInstance, done: () => void): void {
  const { clients } = this.websocketServer;
  for (const socket of clients) socket.close(1001, 'Going away');
  // Who does not answer is not waited for.
  const timer = setTimeout(() => {
    for (const socket of clients) socket.terminate();
  }, FAREWELL_MS);
  this.websocketServer.close(() => {
    clearTimeout(timer);
    done();
  });
}

/** What a client sends that is no websocket frame, or too large, and its broken connection, are its own affair. */
function endSocket(error: Error & { code?: string }, socket: WebSocket, request: FastifyRequest): void {
  const isTheirs = /^(WS_ERR_|ECONN|EPIPE)/.test(error.code ?? '');
  request.log[isTheirs ? 'info' : 'error']({ err: error }, 'a websocket was ended');
  socket.terminate();
}
