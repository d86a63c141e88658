import type { Socket } from 'node:net';
import type { ExecutionResult } from 'graphql';
import type { Viewer } from '../../src/context.ts';
import { OperationError } from '../../src/errors.ts';
import { countUnsent } from '../../src/limits/connections/connection.ts';
import { LIVE_LIMITS } from '../../src/limits/limits.ts';
import type { Realtime } from '../../src/realtime/realtime.ts';
import { type ParsedSubscription, toGraphqlError, undeliverableResult } from './parse-subscription.ts';

/** A result that is already serialized, in the form that Yoga expects. */
interface SerializedResult extends ExecutionResult {
  stringify(): string;
}

/**
 * Streams the results of a subscription, for server-sent events. The buffer for a slow client is bounded: when it is
 * full, the stream ends with an error, and the client resumes from its cursor.
 *
 * @param socket carries the stream; buffered results count as unsent bytes of it
 * @param cut closes the connection if the client has not read the end of the stream in time
 * @throws {OperationError} RATE_LIMITED when the user holds too many connections
 */
export function streamResults(
  realtime: Realtime,
  viewer: Viewer,
  { spec, after }: ParsedSubscription,
  { socket, cut }: { socket: Socket; cut: () => void },
): AsyncGenerator<ExecutionResult, void, void> {
  const releaseQuota = realtime.connectionQuota.acquire(viewer);
  const session = realtime.sessions.acquire(viewer);
  const waiting: string[] = [];
  let bytes = 0;
  let lost: OperationError | null = null;
  let hasEnded = false;
  const uncount = countUnsent(socket, () => bytes);
  let wake: () => void = () => undefined;
  const end = (reason: OperationError) => {
    if (lost || hasEnded) return;
    lost = reason;
    subscription.close();
    setTimeout(cut, CLOSE_TIMEOUT_MS).unref();
    wake();
  };
  const deliver = (text: string) => {
    waiting.push(text);
    bytes += text.length;
    if (bytes > LIVE_LIMITS.buffered) end(new OperationError('UNAVAILABLE', { message: TOO_SLOW }));
    wake();
  };
  const subscription = realtime.fanOut.subscribe(
    spec,
    {
      session,
      deliver,
      onUndeliverable: (event) => deliver(undeliverableResult(event)),
      isSlow: () => bytes > LIVE_LIMITS.buffered / 4,
      onLost: end,
    },
    after,
  );
  session.onEnd(end);
  const close = () => {
    if (hasEnded) return;
    hasEnded = true;
    subscription.close();
    session.release();
    releaseQuota();
    uncount();
    wake();
  };

  const stream: AsyncGenerator<ExecutionResult, void, void> = {
    async next() {
      for (;;) {
        const text = waiting.shift();
        if (hasEnded) return { done: true, value: undefined };
        if (text !== undefined) {
          bytes -= text.length;
          const result: SerializedResult = { stringify: () => text };
          return { done: false, value: result };
        }
        if (lost) {
          close();
          return { done: false, value: { errors: [toGraphqlError(lost)] } };
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    async return() {
      close();
      return { done: true, value: undefined };
    },
    async throw(error) {
      close();
      throw error;
    },
    [Symbol.asyncIterator]: () => stream,
  };
  return stream;
}

/** Time for the client to read the end of the stream. */
const CLOSE_TIMEOUT_MS = 2_000;
const TOO_SLOW = 'The client reads more slowly than events arrive. Reconnect with your last cursor.';
