import type { History, Request } from './history.ts';

/** A gateway that a client reaches; its address changes when it restarts. */
export interface Endpoint {
  name: string;
  url: string;
}

export interface Reply extends Request {
  /** HTTP status; 0 when the connection broke. */
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are read freely
  body: any;
}

/** A request over one of the public transports. */
export type Call =
  | { method: string; path: string; body?: object; query?: never }
  | { query: string; variables?: Record<string, unknown>; method?: never };

/** What the clients of a run share. */
export interface Run {
  history: History;
  random: Random;
  endpoints: readonly Endpoint[];
}

/** A pseudo-random sequence that its seed determines. */
export interface Random {
  /** An integer from 0 to below `count`. */
  below(count: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
}

/** mulberry32: 32 bits of state, enough to choose operations. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return { below, chance: (probability) => next() < probability, pick: (items) => items[below(items.length)]! };
}

/** Sends a request. Start and end enclose everything that a gateway does for it. */
export async function send(
  endpoint: Endpoint,
  call: Call,
  { token, client }: { token: string; client: string },
): Promise<Reply> {
  const isRest = call.method !== undefined;
  const label = `${endpoint.name} ${isRest ? `${call.method} ${call.path}` : call.query.replace(/\s+/g, ' ').slice(0, 90)}`;
  const start = performance.now();
  const answered = await fetch(`${endpoint.url}${isRest ? call.path : '/graphql'}`, {
    method: isRest ? call.method : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: isRest ? (call.body ? JSON.stringify(call.body) : null) : JSON.stringify(call),
  })
    .then(async (response) => ({ status: response.status, body: parse(await response.text()) }))
    .catch(() => ({ status: 0, body: null }));
  return { start, end: performance.now(), client, label, ...answered };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
