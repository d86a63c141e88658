import { type Context, viewerOf } from '../../src/context.ts';
import { OperationError } from '../../src/errors.ts';
import type { EventName } from '../../src/events/catalogue.ts';

interface SubscriptionArguments {
  topic?: string | null | undefined;
  after?: string | null | undefined;
}

/**
 * The source stream of a subscription, for graphql-js' own `subscribe`. The WebSocket and server-sent event transports
 * bypass it: they subscribe through the fan-out, which renders one text for many subscribers.
 *
 * @throws {OperationError} UNAUTHORIZED, INVALID_PARAMETERS, RATE_LIMITED; UNAVAILABLE in a process without a gateway
 */
export function streamEvents(
  context: Context,
  types: readonly EventName[],
  { topic, after }: SubscriptionArguments,
): AsyncGenerator<unknown, void, void> {
  const viewer = viewerOf(context);
  if (!context.openEventStream) throw new OperationError('UNAVAILABLE');
  return context.openEventStream(viewer, { types: new Set(types), topic: topic ?? null, after: after ?? null });
}
