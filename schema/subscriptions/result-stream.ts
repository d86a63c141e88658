import type { Socket } from 'node:net';
import type { ExecutionResult } from 'graphql';
import type { Viewer } from '../../src/context.ts';
import { OperationError } from '../../src/errors.ts';
import { countUnsent } from '../../src/limits/connections/connection.ts';
import { LIVE_LIMITS } from '../../src/limits/limits.ts';
import type { Realtime } from '../../src/realtime/realtime.ts';
import { type ParsedSubscription, toGraphqlError, undeliverableResult } from './parse-subscription.ts';

/** A result whose text is made already, for Yoga. */
interface Written extends ExecutionResult {
  stringify(): string;
}

/**
 * A subscription as a stream of results, for server-sent events. What waits for a slow reader is bounded: beyond that
 * the stream ends with an error, and the reader comes back with its cursor.
 *
 * @param socket carries the stream: what waits here counts as unsent on it
 * @param cut breaks the connection, unless its reader has taken the end by then
 * @throws {OperationError} RATE_LIMITED when the user holds too many connections
 */
export function streamResults(
  realtime: Realtime,
  viewer: Viewer,
  { spec, after }: ParsedSubscription,
  { socket, cut }: { socket: Socket; cut: () => void },
): AsyncGenerator<ExecutionResult, void, void> {
  const release = realtime.connectionQuota.acquire(viewer);
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
    setTimeout(cut, FAREWELL_MS).unref();
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
    release();
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
          const result: Written = { stringify: () => text };
          return { done: false, value: result };
        }
        if (lost) {
          close();
          return { done: false, value: { errors: [toGraphqlError(lost)] } };
        }
        await new Promise<void>((woken) => {
          wake = woken;
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

/** How long a reader has to take the end of a stream. */
const FAREWELL_MS = 2_000;
const TOO_SLOW = 'You read more slowly than things happen: come back with your cursor.';
