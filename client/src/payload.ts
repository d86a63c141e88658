/** An operation, as GraphQL clients pass it to a transport. */
export interface SubscribePayload {
  query: string;
  variables?: Record<string, unknown> | null | undefined;
  operationName?: string | null | undefined;
  extensions?: Record<string, unknown> | null | undefined;
}

/** Whether a document contains a subscription: at its start, or after another definition. */
const SUBSCRIPTION = /(^|\})\s*subscription\b/;

/** @throws Error for a subscription that cannot resume, because it does not take a cursor or does not select one */
export function isSubscription({ query }: Pick<SubscribePayload, 'query'>): boolean {
  const text = query.replace(/#.*/g, '');
  if (!SUBSCRIPTION.test(text)) return false;
  if (/\bafter\s*:\s*\$after\b/.test(text) && /\bcursor\b/.test(text)) return true;
  throw new Error('This subscription cannot resume: pass it `after: $after`, and select the `cursor` of the event.');
}

/** The payload of a subscription that continues after `cursor`. */
export const continued = <Payload extends SubscribePayload>(payload: Payload, cursor: string | null): Payload =>
  cursor === null ? payload : { ...payload, variables: { ...payload.variables, after: cursor } };

/** The cursor at which the application itself starts. */
export function ownCursor({ variables }: SubscribePayload): string | null {
  return typeof variables?.after === 'string' ? variables.after : null;
}
