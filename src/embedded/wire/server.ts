import { chmodSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { Document } from 'bson';
import { CommandError, runInSlices } from '../lib/index.ts';
import { addressOf, createFramer, encodeReply, type Message, ProtocolError, parseMessage } from './messages.ts';

/** No more is read from a connection with this many unanswered messages. */
const MAX_PENDING = 64;

export interface Connection {
  readonly id: number;
  isClosed: boolean;
  /** Aborted when the connection closes. */
  readonly closed: AbortSignal;
}

/** A reply document, or an encoded one that contains stored documents unchanged. */
export type Reply = Document | Uint8Array;

export interface Answer {
  reply: Reply;
  /** The encoded fields `$clusterTime` and `operationTime`, which end the reply. */
  times: Buffer;
}

/** Executes the messages of all connections. */
export interface MessageHandler {
  /** Never rejects: a failure is an answer too. */
  handle(connection: Connection, message: Message): Promise<Answer>;
  answerError(error: unknown): Answer;
  /** Whether further replies follow this one without another request. */
  isStreamed(message: Message, reply: Reply): boolean;
  onClose(connection: Connection): void;
  warn(message: string): void;
}

/** Listens on a Unix socket that only the current user can open. */
export async function listen(
  handler: MessageHandler,
  path: string,
  maxElements?: number,
): Promise<{ close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  let nextConnectionId = 1;
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    const closing = new AbortController();
    const connection: Connection = { id: nextConnectionId++, isClosed: false, closed: closing.signal };
    socket.once('close', () => {
      sockets.delete(socket);
      connection.isClosed = true;
      closing.abort();
      handler.onClose(connection);
    });
    serve(handler, socket, { connection, maxElements });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  chmodSync(path, 0o600);
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Answers the messages of one connection in order. A message that violates the protocol closes the connection. */
function serve(
  handler: MessageHandler,
  socket: Socket,
  { connection, maxElements }: { connection: Connection; maxElements: number | undefined },
): void {
  const pending: Buffer[] = [];
  let isBusy = false;
  let lastReplyId = 0;

  async function answer(frame: Buffer): Promise<void> {
    let message: Message;
    try {
      message = await runInSlices(parseMessage(frame, maxElements));
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      const { reply, times } = handler.answerError(error);
      socket.write(await encodeAny(addressOf(frame), reply, { times }));
      return;
    }
    for (;;) {
      const { reply, times } = await handler.handle(connection, message);
      if (message.isFireAndForget || socket.destroyed) return;
      const hasMore = handler.isStreamed(message, reply);
      const sent = await encodeAny(message, reply, { times, hasMore });
      if (!socket.write(sent)) await drained();
      if (!hasMore) return;
      message = { ...message, requestId: lastReplyId };
    }
  }

  const drained = (): Promise<void> =>
    new Promise((resolve) => {
      const proceed = () => {
        socket.off('drain', proceed).off('close', proceed);
        resolve();
      };
      socket.on('drain', proceed).on('close', proceed);
    });

  async function encodeAny(
    message: Parameters<typeof encodeReply>[0],
    reply: Reply,
    options: { times: Buffer; hasMore?: boolean },
  ): Promise<Buffer> {
    lastReplyId = (lastReplyId + 1) & 0x7fffffff;
    const requestId = lastReplyId;
    try {
      return await runInSlices(encodeReply(message, reply, { ...options, requestId }));
    } catch (error) {
      return runInSlices(encodeReply(message, handler.answerError(error).reply, { requestId, times: options.times }));
    }
  }

  async function work(): Promise<void> {
    isBusy = true;
    try {
      for (let frame = pending.shift(); frame && !socket.destroyed; frame = pending.shift()) {
        await answer(frame);
        if (socket.isPaused() && pending.length < MAX_PENDING) socket.resume();
      }
    } catch (error) {
      hangUp(error);
    }
    isBusy = false;
  }

  function hangUp(error: unknown): void {
    if (!(error instanceof ProtocolError)) handler.warn(`connection ${connection.id} failed: ${String(error)}`);
    socket.destroy();
  }

  const feed = createFramer((frame) => {
    pending.push(frame);
    if (pending.length >= MAX_PENDING) socket.pause();
    if (!isBusy) void work();
  });
  socket.on('data', (chunk: Buffer) => {
    try {
      feed(chunk);
    } catch (error) {
      hangUp(error);
    }
  });
  socket.on('error', () => socket.destroy());
}
