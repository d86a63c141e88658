import type { WebSocket } from 'ws';
import type { OperationError } from '../../src/errors.ts';
import { LIVE_LIMITS } from '../../src/limits/limits.ts';
import type { LiveSession } from '../../src/realtime/subscribers/live-sessions.ts';
import type { Subscription } from '../../src/realtime/subscription-spec.ts';
import type { MessageQueue } from './message-queue.ts';

/** One websocket, from its opening to its end. */
export interface SocketConnection {
  socket: WebSocket;
  session: LiveSession | null;
  /** The access token it came with: each query and mutation proves it anew. */
  token: string | null;
  /** By subscription id. */
  subscriptions: Map<string, Subscription>;
  /**
   * The latest subscribe message of each id that has not become a running operation. The client may complete an id and
   * use it again while its first message still waits.
   */
  reserved: Map<string, object>;
  /** The queries and mutations under way, those too that the client has given up. */
  operations: Set<object>;
  /** The subscriptions that were let in, by id: each gives its place back. */
  quotaReleases: Map<string, () => void>;
  isAlive: boolean;
  /** Null until the protocol handles messages. */
  messages: MessageQueue | null;
  /** Run when the socket has closed. */
  closers: Array<() => void>;
}

export function createSocketConnection(socket: WebSocket): SocketConnection {
  return {
    socket,
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

/** Sends text that is made already. A reader that is too slow to take it is cut: its cursor brings it back. */
export function sendText({ socket }: SocketConnection, text: string): void {
  if (socket.readyState !== socket.OPEN) return;
  if (socket.bufferedAmount > LIVE_LIMITS.buffered) socket.terminate();
  else socket.send(text);
}

/** Close codes of the protocol: 4401 for who must sign in again, 4403 for who must not come back, 4429 for too much. */
export function closeFor(socket: WebSocket, { errorName, message }: OperationError): void {
  const code = errorName === 'GLOBALLY_BANNED' ? 4403 : errorName === 'RATE_LIMITED' ? 4429 : 4401;
  socket.close(code, message.slice(0, 120));
}

/**
 * Asks every socket for a sign of life, and says which of its subscriptions were told everything up to which cursor, so
 * that who listens to what seldom happens has one that does not grow old. Those that are named, and no others: one that
 * the client has just asked for may begin before it.
 */
export function startHeartbeat(connections: ReadonlySet<SocketConnection>, position: () => string | null): () => void {
  const timer = setInterval(() => {
    const cursor = position();
    for (const connection of connections) {
      if (!connection.isAlive) {
        connection.socket.terminate();
        continue;
      }
      // Not pinged yet: `initMs` bounds the time until `connection_init`.
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
