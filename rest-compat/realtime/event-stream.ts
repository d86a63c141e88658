import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { OperationError } from '../../src/errors.ts';
import { type Cursor, checkCursor } from '../../src/events/cursor.ts';
import { countUnsent } from '../../src/limits/connections/connection.ts';
import { LIVE_LIMITS } from '../../src/limits/limits.ts';
import { errorBody } from '../error-body.ts';
import type { EventRequest } from './event-request.ts';

interface StreamOptions {
  /** Cursor to resume after; null: from now on. */
  after: Cursor | null;
  /** Callbacks that end the open streams when the server closes. */
  streams: Set<() => void>;
}

/** Time for the client to read the last message. */
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * Streams server-sent events. Each carries one envelope, and its cursor as the id, which a browser sends when it
 * reconnects. An event that exceeds a limit or cannot be rendered is replaced by an event named `error` with the error
 * body and the same id, and the stream continues. An `error` without an id ends the stream.
 */
export function streamEvents(
  reply: FastifyReply,
  { services, realtime, spec, session, onEnd, release }: EventRequest,
  { after, streams }: StreamOptions,
): FastifyReply {
  if (after !== null) checkCursor(after);
  const out = new PassThrough();
  const uncount = countUnsent(reply.request.raw.socket, () => out.writableLength + out.readableLength);
  const write = (text: string) => {
    if (out.destroyed || out.writableEnded) return;
    if (out.writableLength > LIVE_LIMITS.buffered) out.destroy();
    else out.write(text);
  };
  const fail = (reason: OperationError) => {
    write(errorEvent(reason));
    out.end();
    // A client that does not read the last message is disconnected.
    setTimeout(() => out.destroy(), CLOSE_TIMEOUT_MS).unref();
  };
  const start = services.events.position;
  const subscription = realtime.fanOut.subscribe(
    spec,
    {
      session,
      deliver: (text, { cursor }) => write(`id: ${cursor}\ndata: ${text}\n\n`),
      onUndeliverable: (event) => write(`id: ${event.cursor}\n${errorEvent(event)}`),
      isSlow: () => out.writableLength > LIVE_LIMITS.buffered / 4,
      onLost: fail,
    },
    after,
  );
  // An id without data gives the client a cursor before the first event. A resuming client has one; the comment
  // makes Node.js send the headers immediately.
  write(after === null && start !== null ? `id: ${start}\n\n` : ':\n\n');
  const timer = setInterval(() => {
    const { position } = services.events;
    write(subscription.isCaughtUp && position !== null ? `: alive\nid: ${position}\n\n` : ': alive\n\n');
  }, LIVE_LIMITS.heartbeatMs);
  const unregister = onEnd(fail);
  const stop = () => fail(new OperationError('UNAVAILABLE', { message: 'The server is shutting down.' }));
  streams.add(stop);
  out.once('close', () => {
    streams.delete(stop);
    uncount();
    clearInterval(timer);
    unregister();
    subscription.close();
    release();
  });
  return reply
    .code(200)
    .headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
    .send(out);
}

function errorEvent(reason: OperationError): string {
  return `event: error\ndata: ${JSON.stringify(errorBody(reason))}\n\n`;
}
