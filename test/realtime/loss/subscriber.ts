import { createTally, type Tally } from './tally.ts';
import type { Connect } from './transports.ts';

export interface Subscriber {
  tally: Tally;
  /** Breaks the connection, if there is one. */
  disconnect(): void;
  /** Stops reconnecting. */
  stop(): Promise<void>;
}

export interface SubscriberOptions {
  name: string;
  connect: Connect;
  url: string;
  token: string;
  /** The subscribed topic. */
  topic: string;
  /** The topics within it that the user may see. */
  topics: readonly string[];
  /** The cursor to start after. */
  after: string;
}

/** Subscribes, and reconnects with its cursor whenever the connection ends. */
export function startSubscriber({ name, connect, url, token, topic, topics, after }: SubscriberOptions): Subscriber {
  const tally = createTally(name, topics, after);
  let isStopped = false;
  let connection = new AbortController();

  const running = (async () => {
    while (!isStopped) {
      connection = new AbortController();
      tally.reconnects += 1;
      await connect({ url, token, topic, tally, signal: connection.signal });
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
