/** An operation, as GraphQL clients pass it to a transport. */
export interface SubscribePayload {
  query: string;
  variables?: Record<string, unknown> | null | undefined;
  operationName?: string | null | undefined;
  extensions?: Record<string, unknown> | null | undefined;
}

/** One result of a subscription. */
export interface Result<Data = Record<string, unknown>> {
  data?: Data | null | undefined;
  errors?: ReadonlyArray<{ message: string; extensions?: Record<string, unknown> }>;
}

/** Receives the results of a subscription, as graphql-ws defines it. */
export interface Sink<Data = Record<string, unknown>> {
  next(result: Result<Data>): void;
  /** The subscription has ended with GraphQL errors, or with the event or error that broke the connection. */
  error(reason: unknown): void;
  complete(): void;
}

/** Milliseconds without a message after which a connection counts as broken. The server sends one every 15 s. */
export const SILENCE_MS = 45_000;

/** Whether the errors of a subscription mean that events are no longer in the log: read the state again, then subscribe. */
export const isCursorExpired = (reason: unknown): boolean => hasCode(reason, 'CURSOR_EXPIRED');

export function hasCode(reason: unknown, code: string): boolean {
  return Array.isArray(reason) && reason.some((error) => error?.extensions?.code === code);
}

/** The cursor of the event in a result, also of one that could not be rendered; null for a result without an event. */
export function cursorOf({ data, errors }: Result): string | null {
  const events: unknown[] = [...Object.values(data ?? {}), ...(errors ?? []).map(({ extensions }) => extensions)];
  for (const event of events) {
    const cursor = (event as { cursor?: unknown } | null | undefined)?.cursor;
    if (typeof cursor === 'string') return cursor;
  }
  return null;
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

/** Waits before a reconnect: half a second to 30 s, growing with the failed attempts, and random. */
export const pauseBefore = (attempt: number): Promise<void> =>
  new Promise((later) => setTimeout(later, Math.min(30_000, 500 * 2 ** attempt) * (0.5 + Math.random() / 2)));
