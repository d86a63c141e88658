import type { FastifyInstance } from 'fastify';
import {
  cacheBytes,
  databaseUp,
  liveConnections,
  sockets,
  storeBytes,
  subscriptions,
  webhookBacklog,
} from './metrics/definitions.ts';

/** Where the gauges of a gateway are read from. */
export interface GaugeSources {
  server: FastifyInstance;
  isDatabaseUp(): boolean;
  /** Bytes of the entries of each cache, by name. */
  cacheBytes: { readonly [cache: string]: () => number };
  liveConnections(): number;
  /** Open subscriptions by transport. */
  subscriptions: { readonly [transport: string]: () => number };
  /** Bytes; null if unknown. */
  storeSize(): Promise<number | null>;
  webhookBacklog(): Promise<number>;
}

const STORE_SIZE_MS = 60_000;
const BACKLOG_MS = 15_000;

/** Lets the gauges report a gateway until it closes. */
export function observeGateway(sources: GaugeSources): void {
  const byName = (reads: { readonly [name: string]: () => number }) => () =>
    Object.entries(reads).map(([name, read]) => [[name] as const, read()] as const);
  const removers = [
    databaseUp.readFrom(() => (sources.isDatabaseUp() ? 1 : 0)),
    cacheBytes.readFrom(byName(sources.cacheBytes)),
    liveConnections.readFrom(sources.liveConnections),
    subscriptions.readFrom(byName(sources.subscriptions)),
    sockets.readFrom(() => countSockets(sources.server)),
    storeBytes.readFrom(keepFor(STORE_SIZE_MS, sources.storeSize)),
    webhookBacklog.readFrom(keepFor(BACKLOG_MS, sources.webhookBacklog)),
  ];
  sources.server.addHook('onClose', async () => {
    for (const remove of removers) remove();
  });
}

/** Open sockets by protocol. Those without one speak socket.io. */
function countSockets(server: FastifyInstance): Array<readonly [readonly [string], number]> {
  const counts = new Map<string, number>();
  for (const { protocol } of server.websocketServer.clients) {
    const name = protocol === '' ? 'socket-io' : protocol;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Array.from(counts, ([name, count]) => [[name], count] as const);
}

/** Reads a value that costs a command of the database at most once in `ms`. */
function keepFor(ms: number, read: () => Promise<number | null>): () => Promise<number | null> {
  let known: { value: Promise<number | null>; until: number } | null = null;
  return () => {
    const now = performance.now();
    if (!known || known.until <= now) {
      const value = read();
      known = { value, until: now + ms };
      value.catch(() => {
        known = null;
      });
    }
    return known.value;
  };
}
