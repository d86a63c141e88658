import { randomUUID } from 'node:crypto';
import type { Viewer } from '../context.ts';
import type { OperationError } from '../errors.ts';
import { checkCursor } from '../events/cursor.ts';
import type { Realtime } from './realtime.ts';
import { tooSlow } from './subscribers/catch-up.ts';
import type { EventRoot } from './subscription-spec.ts';
import { topicFilter } from './topic-filter.ts';

export interface EventSelection {
  types: ReadonlySet<string>;
  topic: string | null;
  after: string | null;
}

/** Events that may be buffered for a consumer that does not iterate. */
const MAX_BUFFERED = 2_000;

/**
 * Streams the events that the viewer may see, as source values for the `subscribe` function of graphql-js. Transports
 * subscribe through the fan-out instead, which shares loading and rendering between subscribers.
 *
 * @throws {OperationError} INVALID_PARAMETERS, RATE_LIMITED
 */
export function openEventStream(
  realtime: Realtime,
  viewer: Viewer,
  { types, topic, after }: EventSelection,
): AsyncGenerator<EventRoot, void, void> {
  const filter = topic === null ? null : topicFilter(topic);
  const cursor = after === null ? null : checkCursor(after);
  const release = realtime.connectionQuota.acquire(viewer);
  const session = realtime.sessions.acquire(viewer);
  const rendered = new Map<string, EventRoot>();
  const buffered: EventRoot[] = [];
  let failure: OperationError | null = null;
  let isClosed = false;
  let wake: () => void = () => undefined;

  const fail = (reason: OperationError) => {
    failure ??= reason;
    wake();
  };
  const subscription = realtime.fanOut.subscribe(
    {
      // Unique, because each stream collects the payloads that it renders.
      key: `stream ${randomUUID()}`,
      types,
      topic: filter,
      async render(root) {
        rendered.set(root.live.cursor, root);
        return '';
      },
    },
    {
      session,
      deliver(_, live) {
        const root = rendered.get(live.cursor)!;
        rendered.delete(live.cursor);
        if (buffered.length < MAX_BUFFERED) buffered.push(root);
        else fail(tooSlow());
        wake();
      },
      isSlow: () => buffered.length > MAX_BUFFERED / 2,
      onLost: fail,
    },
    cursor,
  );
  session.onEnd(fail);

  function close(): void {
    if (isClosed) return;
    isClosed = true;
    subscription.close();
    session.release();
    release();
    wake();
  }

  const stream: AsyncGenerator<EventRoot, void, void> = {
    async next() {
      for (;;) {
        if (isClosed) return { done: true, value: undefined };
        const root = buffered.shift();
        if (root) return { done: false, value: root };
        if (failure) {
          close();
          throw failure;
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
