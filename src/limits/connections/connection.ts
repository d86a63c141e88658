import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** One TCP connection of the HTTP server, with the request that it carries now. */
export interface Connection {
  readonly socket: Socket;
  /** On whose behalf it is used: the peer, or behind a trusted proxy the client of its latest request. */
  client: string;
  current: Exchange | null;
  /** Requests that arrived behind the current one, HTTP pipelining. */
  readonly waiting: Exchange[];
  /** Whether it has become a websocket. */
  isUpgraded: boolean;
  /** When it became idle: since it opened, or since its last response. */
  idleSince: number;
  /** Changes whenever the peer has taken bytes; see {@link progressOf}. */
  progress: string;
  progressAt: number;
  /** Bytes of the current request's body at the start of the current window. */
  received: number;
  receivedAt: number;
}

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  startedAt: number;
}

const buffers = new WeakMap<Socket, Set<() => number>>();

/**
 * Counts bytes that wait for a client outside its socket, such as the events of a stream.
 * @returns stops counting
 */
export function countUnsent(socket: Socket, bytes: () => number): () => void {
  const own = buffers.get(socket) ?? new Set();
  buffers.set(socket, own);
  own.add(bytes);
  return () => void own.delete(bytes);
}

/** Bytes that wait for the peer of a connection. */
export function unsentBytes({ socket }: Connection): number {
  let sum = socket.writableLength;
  for (const bytes of buffers.get(socket) ?? []) sum += bytes();
  return sum;
}

/**
 * A mark that differs once the kernel has accepted more bytes of a connection. `bytesWritten` advances by whole
 * chunks; the write queue of the handle, which `net` itself uses for its time-outs, by bytes.
 */
export function progressOf({ socket }: Connection): string {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize?: number } | null };
  return `${socket.bytesWritten - socket.writableLength} ${handle?.writeQueueSize ?? 0}`;
}
