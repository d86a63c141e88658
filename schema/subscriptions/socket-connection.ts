import type { WebSocket } from 'ws';
import type { OperationError } from '../../src/errors.ts';
import type { SocketPeer } from '../../src/http/websockets.ts';
import { LIVE_LIMITS } from '../../src/limits/limits.ts';
import { flushSocket, SocketOutbox } from '../../src/realtime/socket-outbox.ts';
import type { LiveSession } from '../../src/realtime/subscribers/live-sessions.ts';
import type { Subscription } from '../../src/realtime/subscription-spec.ts';
import type { MessageQueue } from './message-queue.ts';

/** The state of one WebSocket. */
export interface SocketConnection {
  socket: WebSocket;
  peer: SocketPeer;
  /** Events that wait to be written. */
  outbox: SocketOutbox;
  session: LiveSession | null;
  /**
   * The access token, with which each query and mutation is authenticated again; it may have expired while the session has a
   * newer one. Before `connection_init`, that of the upgrade request.
   */
  token: string | null;
  /** Active subscriptions by id. */
  subscriptions: Map<string, Subscription>;
  /**
   * The latest subscribe message of each id that has not become a running operation. The client may complete an id and
   * use it again while its first message still waits.
   */
  reserved: Map<string, object>;
  /** Queries and mutations in progress, including those that the client has completed. */
  operations: Set<object>;
  /** Functions that release the quota of each admitted subscription, by id. */
  quotaReleases: Map<string, () => void>;
  isAlive: boolean;
  /** Null until the protocol handles messages. */
  messages: MessageQueue | null;
  /** Called when the socket has closed. */
  closers: Array<() => void>;
}

export function createSocketConnection(socket: WebSocket, peer: SocketPeer): SocketConnection {
  return {
    socket,
    peer,
    outbox: new SocketOutbox(socket, peer.stream),
    session: null,
    token: null,
    subscriptions: new Map(),
    reserved: new Map(),
    operations: new Set(),
    quotaReleases: new Map(),
    isAlive: true,
    messages: null,
    closers: [],
  };
}

/** Sends serialized text after waiting events. Disconnects a client that reads too slowly; it can resume from its cursor. */
export function sendText({ socket, outbox }: SocketConnection, text: string): void {
  if (socket.readyState !== socket.OPEN) return;
  outbox.flush();
  if (socket.bufferedAmount > LIVE_LIMITS.buffered) socket.terminate();
  else socket.send(text);
}

/** Closes with a code of graphql-transport-ws: 4401 unauthorized, 4403 forbidden, 4429 too many requests. */
export function closeFor(socket: WebSocket, { errorName, message }: OperationError): void {
  const code = errorName === 'GLOBALLY_BANNED' ? 4403 : errorName === 'RATE_LIMITED' ? 4429 : 4401;
  flushSocket(socket);
  socket.close(code, message.slice(0, 120));
}

/**
 * Pings every socket. The payload holds the current cursor and the ids of the subscriptions that have received everything
 * up to it, so that a subscription with rare events does not keep an expiring cursor. A subscription that is not listed,
 * such as one that has just been requested, may start before the cursor.
 */
export function startHeartbeat(connections: ReadonlySet<SocketConnection>, position: () => string | null): () => void {
  const timer = setInterval(() => {
    const cursor = position();
    for (const connection of connections) {
      if (!connection.isAlive) {
        connection.socket.terminate();
        continue;
      }
      // Before `connection_init`, which `initMs` limits, no ping is sent.
      if (!connection.session) continue;
      connection.isAlive = false;
      const ids = [...connection.subscriptions].filter(([, { isCaughtUp }]) => isCaughtUp).map(([id]) => id);
      const payload = cursor !== null && ids.length > 0 ? { cursor, ids } : undefined;
      sendText(connection, JSON.stringify({ type: 'ping', payload }));
    }
  }, LIVE_LIMITS.heartbeatMs);
  timer.unref();
  return () => clearInterval(timer);
}
