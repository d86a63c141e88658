import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { LIVE_LIMITS } from '../limits/limits.ts';

/** Opcodes of WebSocket frames, RFC 6455 section 5.2. */
export const TEXT = 0x1;
export const BINARY = 0x2;

/** One message of the server. Its bytes may be shared by many sockets, and must not be changed. */
export interface OutgoingMessage {
  opcode: typeof TEXT | typeof BINARY;
  /** The bytes before the payload, such as the id of a subscription. */
  prefix: Uint8Array | null;
  payload: Uint8Array;
}

/** Sockets written between yields to the event loop, so that a broadcast does not delay requests. */
const FLUSHES_PER_TURN = 250;
/** Messages up to this size in bytes are copied into one chunk: that takes less time than a write of several chunks. */
const MAX_COPIED = 16_384;
/** Messages beyond this size in bytes are written immediately: the system may accept many of them from a quick client. */
const MAX_GATHERED = 65_536;
/** Longest head of a frame without a mask. */
const HEAD_BYTES = 10;

// Module state: a process has one event loop, and all its sockets take turns in it.
let waiting: SocketOutbox[] = [];
let current: SocketOutbox[] = [];
/** Index of the next outbox in `current`. */
let next = 0;
let isScheduled = false;
/** Reused while the system accepts whole chunks, as it does unless a client reads slowly. */
let scratch = Buffer.allocUnsafeSlow(MAX_COPIED);

function schedule(outbox: SocketOutbox): void {
  waiting.push(outbox);
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(flushSome);
}

/** Writes to the sockets that have waited longest. Later messages for the sockets behind them join the same write. */
function flushSome(): void {
  for (let count = 0; count < FLUSHES_PER_TURN; count += 1) {
    if (next === current.length) {
      if (waiting.length === 0) break;
      [current, waiting, next] = [waiting, [], 0];
    }
    const outbox = current[next]!;
    next += 1;
    outbox.flush();
  }
  isScheduled = next < current.length || waiting.length > 0;
  if (isScheduled) setImmediate(flushSome);
  else [current, next] = [[], 0];
}

const outboxes = new WeakMap<WebSocket, SocketOutbox>();

/** Writes the messages that wait for a socket, for example before it is closed. */
export function flushSocket(socket: WebSocket): void {
  outboxes.get(socket)?.flush();
}

/**
 * The messages that wait to be written to one WebSocket. An event is put into thousands of outboxes before the first of
 * them is written; a socket that is reached after the next event receives both in one system call. Frames are written
 * directly to the stream below the socket: `ws` would encode the payload for each socket. This requires that no extension
 * transforms frames, and that `ws` writes its own frames synchronously, which it does without compression.
 *
 * A class, because it exists once for each idle socket.
 */
export class SocketOutbox {
  readonly #socket: WebSocket;
  readonly #stream: Duplex;
  #messages: OutgoingMessage[] | null = null;
  /** Upper bound of the bytes of the waiting frames. */
  #bytes = 0;

  /** @param stream the connection that carries the frames of the socket */
  constructor(socket: WebSocket, stream: Duplex) {
    this.#socket = socket;
    this.#stream = stream;
    outboxes.set(socket, this);
  }

  /** Queues a message. Disconnects a client that reads too slowly. @returns false if it was disconnected */
  push(message: OutgoingMessage): boolean {
    if (this.#socket.readyState !== this.#socket.OPEN) return true;
    if (this.#bytes > MAX_GATHERED) this.flush();
    if (this.#stream.writableLength > LIVE_LIMITS.buffered) {
      this.#messages = null;
      this.#socket.terminate();
      return false;
    }
    this.#bytes += HEAD_BYTES + (message.prefix?.length ?? 0) + message.payload.length;
    if (this.#messages) this.#messages.push(message);
    else {
      this.#messages = [message];
      schedule(this);
    }
    return true;
  }

  /** Whether the client reads slowly. */
  isSlow(): boolean {
    return this.#stream.writableLength > LIVE_LIMITS.buffered / 4;
  }

  /** Writes the waiting messages, in one system call unless the client reads slowly. */
  flush(): void {
    const messages = this.#messages;
    if (!messages) return;
    const bytes = this.#bytes;
    this.#messages = null;
    this.#bytes = 0;
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (bytes <= MAX_COPIED && this.#stream.writableLength === 0) writeCopied(this.#stream, messages);
    else writeShared(this.#stream, messages);
  }
}

function writeCopied(stream: Duplex, messages: readonly OutgoingMessage[]): void {
  let end = 0;
  for (const { opcode, prefix, payload } of messages) {
    end = writeHead(scratch, end, opcode, (prefix?.length ?? 0) + payload.length);
    if (prefix) {
      scratch.set(prefix, end);
      end += prefix.length;
    }
    scratch.set(payload, end);
    end += payload.length;
  }
  stream.write(scratch.subarray(0, end));
  // The stream holds the chunk until the system has accepted all of it.
  if (stream.writableLength > 0) scratch = Buffer.allocUnsafeSlow(MAX_COPIED);
}

/** Writes long messages, and those that have to wait, without copying the shared payloads. */
function writeShared(stream: Duplex, messages: readonly OutgoingMessage[]): void {
  stream.cork();
  for (const { opcode, prefix, payload } of messages) {
    const head = Buffer.allocUnsafe(HEAD_BYTES + (prefix?.length ?? 0));
    let end = writeHead(head, 0, opcode, (prefix?.length ?? 0) + payload.length);
    if (prefix) {
      head.set(prefix, end);
      end += prefix.length;
    }
    stream.write(head.subarray(0, end));
    stream.write(payload);
  }
  stream.uncork();
}

/** Writes the head of a final frame without a mask, RFC 6455 section 5.2. @returns its end */
function writeHead(target: Buffer, at: number, opcode: number, length: number): number {
  target[at] = 0x80 | opcode;
  if (length < 126) {
    target[at + 1] = length;
    return at + 2;
  }
  if (length < 65_536) {
    target[at + 1] = 126;
    target.writeUInt16BE(length, at + 2);
    return at + 4;
  }
  target[at + 1] = 127;
  target.writeUInt32BE(Math.floor(length / 2 ** 32), at + 2);
  target.writeUInt32BE(length % 2 ** 32, at + 6);
  return at + 10;
}
