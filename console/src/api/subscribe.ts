import { type Client, createClient } from 'graphql-ws';
import { currentSession, onSessionChange } from '../session/session-store.ts';
import { messageOf } from './api-error.ts';

let client: Client | null = null;

// The next subscription opens a WebSocket with the session of that time.
onSessionChange(() => {
  client?.dispose();
  client = null;
});

export interface SubscriptionHandlers<Result> {
  onResult(result: Result): void;
  onError(message: string): void;
  /** Called when the connection is open again: events in between are missed. */
  onReconnect?(): void;
}

/** Opens a subscription over one WebSocket for all of them, which reconnects. @returns a function that ends it */
export function subscribe<Result>(
  query: string,
  variables: Record<string, unknown>,
  { onResult, onError, onReconnect }: SubscriptionHandlers<Result>,
): () => void {
  client ??= createClient({
    url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
    connectionParams: () => ({ authorization: `Bearer ${currentSession()?.accessToken}` }),
    retryAttempts: 20,
  });
  const ended = onReconnect ? watchReconnects(client, onReconnect) : null;
  const end = client.subscribe<Result>(
    { query, variables },
    {
      next: ({ data, errors }) => {
        if (errors?.[0]) onError(errors[0].message);
        else if (data) onResult(data);
      },
      error: (error) => onError(Array.isArray(error) ? String(error[0]?.message) : messageOf(error)),
      complete: () => undefined,
    },
  );
  return () => {
    ended?.();
    end();
  };
}

function watchReconnects(of: Client, onReconnect: () => void): () => void {
  let wasClosed = false;
  const listeners = [
    of.on('closed', () => {
      wasClosed = true;
    }),
    of.on('connected', () => {
      if (wasClosed) onReconnect();
      wasClosed = false;
    }),
  ];
  return () => {
    for (const remove of listeners) remove();
  };
}
