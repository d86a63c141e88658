import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** One TCP connection of the HTTP server, with the request that it carries now. */
export interface Connection {
  readonly socket: Socket;
  /** The address that `client` is the key of. */
  address: string | undefined;
  /** The key of its client: the peer, or behind a trusted proxy the client of its latest request. */
  client: string;
  /** The id of the session of its latest request; null for requests without a token. */
  session: string | null;
  current: Exchange | null;
  /** Requests that arrived behind the current one, HTTP pipelining. */
  readonly waiting: Exchange[];
  /** Whether it has become a WebSocket. */
  isUpgraded: boolean;
  /** When it became idle: since it opened, or since its last response. */
  idleSince: number;
  /** Value of {@link acceptedBytes} when it last changed. */
  progress: number;
  progressAt: number;
  /** Value of {@link acceptedBytes} at the start of the current window of `drainMs`. */
  drained: number;
  drainedAt: number;
  /** Bytes of the current request's body at the start of the current window. */
  received: number;
  receivedAt: number;
}

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  startedAt: number;
}

/** By socket, so that it holds nothing for sockets that are gone. */
const buffers = new WeakMap<Socket, Set<() => number>>();

/**
 * Counts unsent bytes that are buffered outside the socket, such as the events of a stream.
 * @returns a function that stops counting them
 */
export function countUnsent(socket: Socket, bytes: () => number): () => void {
  const own = buffers.get(socket) ?? new Set();
  buffers.set(socket, own);
  own.add(bytes);
  return () => void own.delete(bytes);
}

/** Bytes that are buffered for the peer of a connection. */
export function unsentBytes({ socket }: Connection): number {
  let sum = socket.writableLength;
  for (const bytes of buffers.get(socket) ?? []) sum += bytes();
  return sum;
}

interface Handle {
  bytesWritten?: number;
  writeQueueSize?: number;
}

/**
 * Bytes that the kernel has accepted for the peer of a connection. `socket.bytesWritten` counts whole chunks. The
 * handle also reports how many bytes of its current chunk are still queued, which `net` uses for its own time-outs.
 */
export function acceptedBytes({ socket }: Connection): number {
  const { _handle: handle } = socket as Socket & { _handle?: Handle | null };
  return (handle?.bytesWritten ?? socket.bytesWritten) - (handle?.writeQueueSize ?? 0);
}
