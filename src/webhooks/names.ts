import { definitionOf, EVENT_NAMES, EVENTS, type EventName } from '../events/catalogue.ts';

/** Names that an endpoint can be told, each once. */
export const WEBHOOK_NAMES: readonly string[] = [...new Set(EVENT_NAMES.flatMap((name) => EVENTS[name].webhook ?? []))];

/** What a test ping is called. */
export const PING = 'webhook.ping';

const PUSH = 'push-notification/';

/** What an event of this name is called towards receivers; null: they are not told of it. */
export function webhookNameOf(type: string): string | null {
  return definitionOf(type)?.webhook ?? null;
}

/** The events behind a name: two are told under one here and there. */
export function eventsBehind(webhookName: string): EventName[] {
  return EVENT_NAMES.filter((name) => EVENTS[name].webhook === webhookName);
}

/** Whether a delivery carries the endpoint's access token (interface §6.2). */
export function carriesToken(webhookName: string): boolean {
  return webhookName.startsWith(PUSH);
}

/** The `webhook-id`: of one event, whoever it is sent to and however often. */
export function webhookIdOf(eventId: string): string {
  return `msg_${eventId}`;
}
