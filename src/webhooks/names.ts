import { definitionOf, EVENT_NAMES, EVENTS, type EventName } from '../events/catalogue.ts';

/** Event names to which an endpoint can subscribe, each once. */
export const WEBHOOK_NAMES: readonly string[] = [...new Set(EVENT_NAMES.flatMap((name) => EVENTS[name].webhook ?? []))];

/** Event name of a test ping. */
export const PING = 'webhook.ping';

const PUSH = 'push-notification/';

/** The name of an event type in webhooks; null when webhooks do not include it. */
export function webhookNameOf(type: string): string | null {
  return definitionOf(type)?.webhook ?? null;
}

/** The event types with this webhook name; a few names combine two types. */
export function eventTypesOf(webhookName: string): EventName[] {
  return EVENT_NAMES.filter((name) => EVENTS[name].webhook === webhookName);
}

/** Whether a delivery carries the endpoint's access token (`docs/interface.md#webhooks`). */
export function carriesToken(webhookName: string): boolean {
  return webhookName.startsWith(PUSH);
}

/** The `webhook-id`, which is the same for all endpoints and attempts of an event. */
export function webhookIdOf(eventId: string): string {
  return `msg_${eventId}`;
}
