import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { TestGateway } from './gateway.ts';

export interface LiveClient {
  client: Client;
  /** Subscribes; `events` holds the value of the subscription's only field. */
  listen(query: string, variables?: Record<string, unknown>): LiveSubscription;
  close(): Promise<void>;
}

export interface LiveSubscription {
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  events: any[];
  errors: unknown[];
  /** Resolves when `count` events have arrived. */
  until(count: number, timeoutMs?: number): Promise<LiveSubscription['events']>;
  stop(): void;
  readonly isDone: boolean;
}

/** A graphql-ws client, signed in as a sample user. */
export async function liveClient(gateway: Pick<TestGateway, 'url' | 'tokenOf'>, as: string): Promise<LiveClient> {
  const token = await gateway.tokenOf(as);
  const client = createClient({
    url: `${gateway.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { Authorization: `Bearer ${token}` },
    retryAttempts: 0,
    lazy: false,
    onNonLazyError: () => undefined,
  });
  return {
    client,
    listen(query, variables) {
      const events: LiveSubscription['events'] = [];
      const errors: unknown[] = [];
      let isDone = false;
      const stop = client.subscribe<Record<string, unknown>>(
        { query, ...(variables && { variables }) },
        {
          next(result) {
            if (result.errors) errors.push(...result.errors);
            if (result.data) events.push(Object.values(result.data)[0]);
          },
          error(error) {
            isDone = true;
            if (Array.isArray(error)) errors.push(...error);
            else errors.push(error);
          },
          complete() {
            isDone = true;
          },
        },
      );
      return {
        events,
        errors,
        stop,
        get isDone() {
          return isDone;
        },
        until: (count, timeoutMs) => waitFor(() => events.length >= count, timeoutMs).then(() => events),
      };
    },
    close: async () => client.dispose(),
  };
}

/** Polls until the condition holds. @throws after the timeout, which is generous for a busy machine */
export async function waitFor(holds: () => boolean, timeoutMs = 30_000): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!holds()) {
    if (performance.now() > end) throw new Error('The condition did not hold in time.');
    await new Promise((later) => setTimeout(later, 10));
  }
}
