import { createTally, type Tally } from './tally.ts';
import type { Door } from './transports.ts';

export interface Subscriber {
  tally: Tally;
  /** Breaks the connection, if there is one. */
  disconnect(): void;
  /** Stops coming back. */
  stop(): Promise<void>;
}

export interface SubscriberOptions {
  name: string;
  door: Door;
  url: string;
  token: string;
  /** What to ask for. */
  topic: string;
  /** What of it they may see. */
  topics: readonly string[];
  /** Where to begin. */
  after: string;
}

/** Listens, and comes back with its cursor whenever the connection has ended. */
export function startSubscriber({ name, door, url, token, topic, topics, after }: SubscriberOptions): Subscriber {
  const tally = createTally(name, topics, after);
  let isStopped = false;
  let connection = new AbortController();

  const running = (async () => {
    while (!isStopped) {
      connection = new AbortController();
      tally.returns += 1;
      await door({ url, token, topic, tally, signal: connection.signal });
      if (!isStopped) await new Promise((later) => setTimeout(later, 50 + Math.random() * 200));
    }
  })();
  return {
    tally,
    disconnect: () => connection.abort(),
    async stop() {
      isStopped = true;
      connection.abort();
      await running;
    },
  };
}
