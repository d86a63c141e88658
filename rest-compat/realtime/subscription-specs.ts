import { OperationError } from '../../src/errors.ts';
import { EVENTS, isEventName } from '../../src/events/catalogue.ts';
import { toAnswerText } from '../../src/limits/answer-text.ts';
import type { SubscriptionSpec } from '../../src/realtime/subscription-spec.ts';
import { topicFilter } from '../../src/realtime/topic-filter.ts';
import { eventTypesOf } from '../../src/webhooks/names.ts';
import type { EventSerializer } from './event-serializer.ts';

/** Selects one event type, rendered as realtime envelopes. @throws {OperationError} NOT_FOUND for an unknown event */
export function realtimeSpec(serializer: EventSerializer, name: string, topic: string | null): SubscriptionSpec {
  if (!isEventName(name) || !EVENTS[name].realtime) {
    throw new OperationError('NOT_FOUND', { message: `There is no event ${name.slice(0, 100)}.` });
  }
  return {
    key: `realtime ${name} ${topic ?? ''}`,
    types: new Set([name]),
    topic: topic === null ? null : topicFilter(topic),
    render: (root, context) => serializer.envelope(root, context),
  };
}

/** Selects the events of a webhook, rendered as deliveries. @throws {OperationError} NOT_FOUND for an unknown webhook */
export function webhookSpec(serializer: EventSerializer, webhook: string): SubscriptionSpec {
  const names = eventTypesOf(webhook);
  if (names.length === 0)
    throw new OperationError('NOT_FOUND', { message: `There is no webhook ${webhook.slice(0, 100)}.` });
  return {
    key: `webhook ${webhook}`,
    types: new Set(names),
    topic: null,
    render: async (root, context) => toAnswerText(await serializer.delivery(root, context), 'eventBytes'),
  };
}
