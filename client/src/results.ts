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

/**
 * Whether the errors of a subscription mean that events are no longer in the log: query `eventCursor`, read the state again,
 * then subscribe after that cursor.
 */
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
