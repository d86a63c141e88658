import type { WebSocket } from 'ws';
import type { OperationError } from '../../src/errors.ts';
import { LIVE_LIMITS } from '../../src/limits/limits.ts';
import type { LiveSession } from '../../src/realtime/live-sessions.ts';
import type { Listening } from '../../src/realtime/program.ts';
import type { MessageQueue } from './message-queue.ts';

/** One websocket, from its opening to its end. */
export interface SocketLink {
  socket: WebSocket;
  session: LiveSession | null;
  /** The access token it came with: each query and mutation proves it anew. */
  token: string | null;
  /** By subscription id. */
  listening: Map<string, Listening>;
  /**
   * The latest subscribe message of each id that has not become a running operation. The client may complete an id and
   * use it again while its first message still waits.
   */
  reserved: Map<string, object>;
  /** The queries and mutations under way, those too that the client has given up. */
  operations: Set<object>;
  /** The subscriptions that were let in, by id: each gives its place back. */
  subscriptions: Map<string, () => void>;
  isAlive: boolean;
  /** Null until the protocol handles messages. */
  messages: MessageQueue | null;
  /** Run when the socket has closed. */
  closers: Array<() => void>;
}

export function createSocketLink(socket: WebSocket): SocketLink {
  return {
    socket,
    session: null,
    token: null,
    listening: new Map(),
    reserved: new Map(),
    operations: new Set(),
    subscriptions: new Map(),
    isAlive: true,
    messages: null,
    closers: [],
  };
}

/** Sends text that is made already. A reader that is too slow to take it is cut: its cursor brings it back. */
export function sendText({ socket }: SocketLink, text: string): void {
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
export function startHeartbeat(links: ReadonlySet<SocketLink>, position: () => string | null): () => void {
  const timer = setInterval(() => {
    const cursor = position();
    for (const link of links) {
      if (!link.isAlive) {
        link.socket.terminate();
        continue;
      }
      // Not pinged yet: `initMs` bounds the time until `connection_init`.
      if (!link.session) continue;
      link.isAlive = false;
      const ids = [...link.listening].filter(([, { isUpToDate }]) => isUpToDate).map(([id]) => id);
      const payload = cursor !== null && ids.length > 0 ? { cursor, ids } : undefined;
      sendText(link, JSON.stringify({ type: 'ping', payload }));
    }
  }, LIVE_LIMITS.heartbeatMs);
  timer.unref();
  return () => clearInterval(timer);
}
