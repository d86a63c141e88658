import { OperationError } from '../../src/errors.ts';
import { EVENTS, isEventName } from '../../src/events/catalogue.ts';
import { toAnswerText } from '../../src/limits/answer-text.ts';
import type { SubscriptionSpec } from '../../src/realtime/subscription-spec.ts';
import { topicFilter } from '../../src/realtime/topic-filter.ts';
import { eventsBehind } from '../../src/webhooks/names.ts';
import type { EventSerializer } from './event-serializer.ts';

/** One event, in the realtime envelope. @throws {OperationError} NOT_FOUND for what is no such event */
export function realtimeSpec(written: EventSerializer, name: string, topic: string | null): SubscriptionSpec {
  if (!isEventName(name) || !EVENTS[name].realtime) {
    throw new OperationError('NOT_FOUND', { message: `There is no event ${name.slice(0, 100)}.` });
  }
  return {
    key: `realtime ${name} ${topic ?? ''}`,
    types: new Set([name]),
    topic: topic === null ? null : topicFilter(topic),
    render: async (root, context) => toAnswerText(await written.envelope(root, context), 'eventBytes'),
  };
}

/** What one webhook is told. @throws {OperationError} NOT_FOUND for what is no such webhook */
export function webhookSpec(written: EventSerializer, webhook: string): SubscriptionSpec {
  const names = eventsBehind(webhook);
  if (names.length === 0)
    throw new OperationError('NOT_FOUND', { message: `There is no webhook ${webhook.slice(0, 100)}.` });
  return {
    key: `webhook ${webhook}`,
    types: new Set(names),
    topic: null,
    render: async (root, context) => toAnswerText(await written.delivery(root, context), 'eventBytes'),
  };
}
